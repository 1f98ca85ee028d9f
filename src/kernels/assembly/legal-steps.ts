/** As `../legal-steps.ts`. */
@inline
export function stepOf(periodStart: i32, period: i32, remaining: i32): i32 {
  return remaining < periodStart ? remaining : periodStart + ((remaining - periodStart) % period);
}
