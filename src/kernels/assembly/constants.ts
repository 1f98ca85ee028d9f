/** Numbers that the plain twins name too. */
export const CUBICS_PIECES: f64 = 16;
export const CUBICS_LARGEST: f64 = 40;
export const MARGIN_SLACK: f32 = 1e-3;
export const ROUNDING: f32 = 1e-6;
export const BOUND_SLACK: f32 = 2e-6;
