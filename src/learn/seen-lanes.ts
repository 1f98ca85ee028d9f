import type { LaneProblem } from './learner.js';

/** By label, the lanes of a block that still learn and whose problems see the label: sign +1 or −1. */
export function seenLanes({ signs, problems, labelCount }: LaneProblem, resting?: Uint8Array): Uint16Array[] {
  return Array.from({ length: labelCount }, (_, label) => {
    const lanes: number[] = [];
    for (let k = 0; k < problems; k++) {
      if (signs[label * problems + k] !== 0 && resting?.[k] !== 1) lanes.push(k);
    }
    return Uint16Array.from(lanes);
  });
}
