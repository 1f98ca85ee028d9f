/**
 * Regular expressions in time linear in the text. Templates, and so models from elsewhere, hold any: the engine's own matching
 * tries one way after another, of which some expressions have exponentially many. Here all ways are followed side by side
 * (Thompson's simulation, with priorities as Pike has them), so that the same part matches as in JavaScript, but for repetitions
 * of what may be empty, such as `(a??|b)*`, whose empty rounds count here.
 */
import { OptionError, quote } from '../base/errors.js';

/** Most steps of an expression, repetitions written out. */
const MOST_STEPS = 2000;

/** Most alternatives and groups that an expression has in each other. */
const MOST_DEPTH = 500;

/** Texts of at most so many UTF-16 units are given to the engine, where an expression can do no harm in them. */
const SHORT = 64;

/** A step of a compiled expression: one character, a place, two ways to go on (the first is preferred), or the end. */
type Step =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | {
      readonly kind: 'place';
      readonly holds: (before: string | undefined, after: string | undefined) => boolean;
    }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'end' };

/** A regular expression that no text can hold up. */
export interface LinearRegex {
  /** The first part of a text that matches, the one JavaScript finds; undefined where none does. */
  find(text: string): string | undefined;
}

/**
 * Compiles a regular expression as JavaScript writes it with the flags `s` and `u`, without look-around and back references.
 *
 * @param short length of the longest texts that may be given to the engine, if the expression can do no harm there.
 * @throws OptionError naming what it may not have; SyntaxError where it is none.
 */
export function compileRegex(source: string, short = SHORT): LinearRegex {
  const native = new RegExp(source, 'su');
  const { steps, loops } = new Compiler(source).compile();
  // With one loop over single characters the engine tries as many ways as the text has pairs of places.
  const isTame = loops.length === 0 || (loops.length === 1 && loops[0] === 'character');
  return {
    find(text) {
      if (isTame && text.length <= short) return native.exec(text)?.[0];
      return simulate(steps, [...text]);
    },
  };
}

/** Follows all ways through the steps at once; those found first are preferred. */
function simulate(steps: readonly Step[], characters: readonly string[]): string | undefined {
  let current = new Threads(steps.length);
  let next = new Threads(steps.length);
  let from = -1;
  let to = -1;
  for (let at = 0; at <= characters.length; at++) {
    const [before, after] = [characters[at - 1], characters[at]];
    // A match may begin anywhere, but one that began before is preferred.
    if (from < 0) current.add(steps, 0, at, before, after);
    next.clear();
    for (let t = 0; t < current.count; t++) {
      const step = steps[current.step[t]];
      if (step.kind === 'end') {
        from = current.from[t];
        to = at;
        break;
      }
      if (step.kind === 'character' && after !== undefined && step.matches(after)) {
        next.add(steps, current.step[t] + 1, current.from[t], after, characters[at + 1]);
      }
    }
    [current, next] = [next, current];
    if (from >= 0 && current.count === 0) break;
  }
  return from < 0 ? undefined : characters.slice(from, to).join('');
}

/** Ways under way, in the order in which they are preferred; each step at most once. */
class Threads {
  count = 0;
  readonly step: Uint32Array;
  /** Where the match of each begins. */
  readonly from: Uint32Array;
  private readonly seen: Uint8Array;
  private readonly stack: number[] = [];

  constructor(steps: number) {
    this.step = new Uint32Array(steps);
    this.from = new Uint32Array(steps);
    this.seen = new Uint8Array(steps);
  }

  clear(): void {
    this.count = 0;
    this.seen.fill(0);
  }

  /** Adds a step, and where it reads nothing what comes after it. */
  add(steps: readonly Step[], first: number, from: number, before?: string, after?: string): void {
    const { stack, seen } = this;
    stack.push(first);
    while (stack.length > 0) {
      const at = stack.pop() as number;
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const step = steps[at];
      if (step.kind === 'split') stack.push(step.second, step.first);
      else if (step.kind === 'place') {
        if (step.holds(before, after)) stack.push(at + 1);
      } else {
        this.step[this.count] = at;
        this.from[this.count++] = from;
      }
    }
  }
}

/** Unit that a quantifier repeats: one character, or a group. */
type Repeated = 'character' | 'group';

const PLACES: Readonly<Record<string, (before?: string, after?: string) => boolean>> = {
  '^': (before) => before === undefined,
  $: (_, after) => after === undefined,
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^[A-Za-z0-9_]$/.test(character);
}

/** Turns an expression that the engine takes for one into steps. */
class Compiler {
  private readonly source: string;
  private at = 0;
  private readonly steps: Step[] = [];
  private readonly loops: Repeated[] = [];
  private depth = 0;

  constructor(source: string) {
    this.source = source;
  }

  compile(): { steps: readonly Step[]; loops: readonly Repeated[] } {
    this.alternatives();
    this.push({ kind: 'end' });
    const { steps, loops } = this;
    return { steps, loops };
  }

  private push(step: Step): number {
    if (this.steps.length >= MOST_STEPS) this.refuse(`at most ${MOST_STEPS} steps, repetitions written out`);
    return this.steps.push(step) - 1;
  }

  private alternatives(): void {
    if (++this.depth > MOST_DEPTH) this.refuse(`at most ${MOST_DEPTH} alternatives and groups in each other`);
    this.alternative();
    this.depth--;
  }

  private alternative(): void {
    const start = this.steps.length;
    this.sequence();
    if (this.source[this.at] !== '|') return;
    this.at++;
    const first = this.steps.splice(start);
    const split = { kind: 'split' as const, first: start + 1, second: 0 };
    this.push(split);
    this.append(first, 1);
    const jump = { kind: 'split' as const, first: 0, second: 0 };
    this.push(jump);
    split.second = this.steps.length;
    this.alternatives();
    jump.first = jump.second = this.steps.length;
  }

  /** Appends steps that are moved by some places. */
  private append(steps: readonly Step[], by: number): void {
    for (const step of steps) {
      this.push(step.kind === 'split' ? { ...step, first: step.first + by, second: step.second + by } : step);
    }
  }

  private sequence(): void {
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')')
      this.term();
  }

  private term(): void {
    const start = this.steps.length;
    const place = this.take(/\\[bB]|[\^$]/y);
    if (place !== undefined) {
      this.push({ kind: 'place', holds: PLACES[place] });
      return;
    }
    let repeated: Repeated = 'character';
    if (this.take(/\((?!\?(?!:|<[^=!]))/y) !== undefined) {
      this.take(/\?:|\?<[^>]*>/y);
      this.alternatives();
      this.at++;
      repeated = 'group';
    } else {
      if (this.source[this.at] === '(') this.refuse('no look-around, and no flags');
      this.push({ kind: 'character', matches: this.character() });
    }
    this.quantifier(start, repeated);
  }

  /** Reads a matcher of one character: itself, an escape, or a class. */
  private character(): (character: string) => boolean {
    if (/\\(?:[1-9]|k)/y.test(this.source.slice(this.at, this.at + 2))) this.refuse('no back references');
    const atom = this.take(
      /\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|.)|./suy,
    ) as string;
    if (atom === '.') return () => true;
    if (!/[\\[]/.test(atom)) return (character) => character === atom;
    const one = new RegExp(`^${atom}$`, 'su');
    return (character) => one.test(character);
  }

  private quantifier(start: number, repeated: Repeated): void {
    const written = this.take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (written === undefined) return;
    const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(written) ?? [];
    const from = least !== undefined ? Number(least) : written[0] === '+' ? 1 : 0;
    const bounded = comma === '' ? from : most ? Number(most) : Number.POSITIVE_INFINITY;
    const to = least !== undefined ? bounded : written[0] === '?' ? 1 : Number.POSITIVE_INFINITY;
    const isLazy = written.length > 1 && written.endsWith('?');
    const body = this.steps.splice(start);
    const again = () => this.append(body, this.steps.length - start);
    const choice = (): { kind: 'split'; first: number; second: number } => {
      const split = { kind: 'split' as const, first: 0, second: 0 };
      this.push(split);
      return split;
    };
    const settle = (split: { first: number; second: number }, inside: number, outside: number) => {
      split.first = isLazy ? outside : inside;
      split.second = isLazy ? inside : outside;
    };
    for (let i = 0; i < from; i++) again();
    if (to === Number.POSITIVE_INFINITY) {
      this.loops.push(repeated);
      const loop = choice();
      const back = this.steps.length - 1;
      again();
      this.push({ kind: 'split', first: back, second: back });
      settle(loop, back + 1, this.steps.length);
      return;
    }
    // Repetitions of many are as good as loops for what the engine may try.
    if (to > 1) this.loops.push(repeated);
    const splits: [ReturnType<typeof choice>, number][] = [];
    for (let i = from; i < to; i++) {
      splits.push([choice(), this.steps.length]);
      again();
    }
    for (const [split, inside] of splits) settle(split, inside, this.steps.length);
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private refuse(limit: string): never {
    throw new OptionError(
      'templates',
      `expected a regular expression with ${limit}, found ${quote(this.source)}`,
    );
  }
}
