/** What is used of jStat, which comes without types. */
declare module 'jstat' {
  const jstat: {
    readonly normal: { cdf(x: number, mean: number, deviation: number): number };
    readonly chisquare: { cdf(x: number, freedom: number): number };
    readonly centralF: { cdf(x: number, between: number, within: number): number };
  };
  export default jstat;
}
