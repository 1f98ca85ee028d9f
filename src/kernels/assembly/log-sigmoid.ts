import { CUBICS_LARGEST, CUBICS_PIECES } from './constants';

/** As `../log-sigmoid.ts`, with its table at `cubics`. */
@inline
export function logSigmoid(margin: f64, cubics: usize): f64 {
  const doubled = 2 * margin;
  const distance = abs(doubled);
  const bound = doubled < 0 ? doubled : 0;
  if (!(distance < CUBICS_LARGEST)) return bound;
  const scaled = distance * CUBICS_PIECES;
  const piece = <i32>scaled;
  const u = scaled - <f64>piece;
  const at = cubics + ((<usize>piece) << 5);
  const softened =
    load<f64>(at) + u * (load<f64>(at, 8) + u * (load<f64>(at, 16) + u * load<f64>(at, 24)));
  return bound - softened;
}
