/** Types of jStat as far as it is used; it comes without any. */
declare module 'jstat' {
  const jstat: {
    readonly normal: { cdf(x: number, mean: number, deviation: number): number };
    readonly chisquare: { cdf(x: number, freedom: number): number };
    readonly centralF: { cdf(x: number, between: number, within: number): number };
  };
  export default jstat;
}
