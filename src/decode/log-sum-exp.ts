/** log Σ exp of the values, taken relative to the highest; −Infinity if all are. */
export function logSumExp(values: Float64Array): number {
  let highest = -Infinity;
  for (let c = 0; c < values.length; c++) if (values[c] > highest) highest = values[c];
  if (highest === -Infinity) return highest;
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += Math.exp(values[c] - highest);
  return highest + Math.log(sum);
}
