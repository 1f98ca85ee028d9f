/** Number of lanes for a number of problems: whole vectors of four 32-bit floats. */
export function laneCount(problems: number): number {
  return (problems + 3) & ~3;
}
