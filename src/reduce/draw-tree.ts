import type { CodeMatrix } from './reduction.js';
import { readTree } from './tree.js';

/**
 * The tree of labels as text, a label a line; where two branches meet, the upper one is the problem's positive side.
 *
 * @param code a code matrix of the strategy `tree`.
 * @param tags [L] the labels.
 */
export function drawTree(code: CodeMatrix, tags: readonly string[]): string {
  const nodes = readTree(code);
  const draw = (at: number): string[] => {
    if (at < code.labels) return [` ${tags[at]}`];
    const { left, right } = nodes[at - code.labels];
    const [firstLeft, ...restLeft] = draw(left);
    const [firstRight, ...restRight] = draw(right);
    return [
      `┬─${firstLeft}`,
      ...restLeft.map((line) => `│ ${line}`),
      `└─${firstRight}`,
      ...restRight.map((line) => `  ${line}`),
    ];
  };
  return `${draw(code.labels + nodes.length - 1).join('\n')}\n`;
}
