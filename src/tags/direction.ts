/** Reading direction: left to right, or right to left. */
export type Direction = 'forward' | 'backward';
