import { OptionError } from '../base/errors.js';
import type { TagSet } from '../tags/tag-set.js';
import type { NumberedConstraints, NumberedSpan } from './chunk-candidates.js';
import { Legality } from './legality.js';

/**
 * The legality of one sentence under constraints on its spans. Whether a span begins, goes on or ends between two
 * tokens follows from their labels, so that required spans and tokens at which none may begin are a matter of which
 * label may follow which at that place. A forbidden span is not: its state says besides the label whether the chunk that
 * the label is in was entered where a forbidden one is (read backward: at its end), and may yet be left where that one is.
 * State = label + L · watch, watch 0 for chunks that may be left anywhere. Places of entry whose forbidden spans do not
 * overlap share a watch, so that there are as many as forbidden spans overlap at most.
 *
 * Places between tokens are counted here in reading order, 0 … T.
 */
export class ConstrainedLegality extends Legality {
  private readonly tagSet: TagSet;
  private readonly length: number;
  private readonly watches: Watches;
  /** {@link spanKey} of forbidden spans. */
  private readonly forbidden: ReadonlySet<number>;
  /** Token · types + type, where none may begin. */
  private readonly closed: ReadonlySet<number>;
  /** [L] number of the type of each label; −1 outside chunks. */
  private readonly typeOf: Int32Array;
  /** [length + 1] the required span that begins at a token, holds it and the one before it, and ends before it. */
  private readonly begins: (NumberedSpan | undefined)[];
  private readonly holds: (NumberedSpan | undefined)[];
  private readonly ends: (NumberedSpan | undefined)[];

  /** @param constraints whose types are numbers of `tagSet.types`. */
  constructor(tagSet: TagSet, constraints: NumberedConstraints, length: number) {
    const labels = tagSet.tags.length;
    const isForward = tagSet.direction === 'forward';
    const watches = watchEntries(
      constraints.forbidden.map(({ start, end }) =>
        isForward ? [start, end] : [length - end, length - start],
      ),
      length,
    );
    super(tagSet.allowed, labels, labels * watches.states);
    this.tagSet = tagSet;
    this.length = length;
    this.watches = watches;
    this.forbidden = new Set(
      constraints.forbidden.map(({ start, end, type }) => this.spanKey(start, end, type)),
    );
    this.closed = new Set(constraints.closed.map(({ token, type }) => token * tagSet.types.length + type));
    this.typeOf = Int32Array.from(tagSet.typeOfLabel, (type, c) =>
      c === tagSet.outside ? -1 : tagSet.types.indexOf(type),
    );
    this.begins = new Array(length + 1).fill(undefined);
    this.holds = [...this.begins];
    this.ends = [...this.begins];
    for (const span of constraints.required) {
      this.begins[span.start] = span;
      this.holds.fill(span, span.start + 1, span.end);
      this.ends[span.end] = span;
    }
    this.rows = new Uint8Array(length * (this.states + 1) * labels);
    this.fill();
  }

  override mask(remaining: number, previous: number): number {
    return (remaining * (this.states + 1) + previous) * this.labels;
  }

  /** Places differ: nothing comes again. */
  override cycle(): undefined {
    return undefined;
  }

  override after(remaining: number, previous: number, label: number): number {
    return this.step(remaining, previous, label);
  }

  /** @throws OptionError if nothing meets the constraints. */
  override requirePath(length: number): void {
    if (length === 0) return;
    const at = this.mask(length - 1, this.states);
    if (this.rows.subarray(at, at + this.labels).includes(1)) return;
    throw new OptionError('constraints', 'expected a labelling that meets the constraints, found none');
  }

  /** Fills the rows from the end of the sentence: 1 where a step is legal and a legal end can be reached after it. */
  private fill(): void {
    const { states, labels, length, rows, tagSet } = this;
    let alive = Uint8Array.from({ length: states }, (_, state) =>
      tagSet.allowed[(state % labels) * (labels + 1) + labels] !== 0 && this.step(-1, state, labels) >= 0
        ? 1
        : 0,
    );
    for (let remaining = 0; remaining < length; remaining++) {
      const next = new Uint8Array(states);
      const first = remaining === length - 1;
      for (let previous = first ? states : 0; previous < (first ? states + 1 : states); previous++) {
        const at = this.mask(remaining, previous);
        const last = previous === states ? labels : previous % labels;
        for (let c = 0; c < labels; c++) {
          if (tagSet.allowed[last * (labels + 1) + c] === 0) continue;
          const state = this.step(remaining, previous, c);
          if (state < 0 || alive[state] === 0) continue;
          rows[at + c] = 1;
          if (previous < states) next[previous] = 1;
        }
      }
      alive = next;
    }
  }

  /**
   * The state after a step; −1 where constraints forbid it.
   *
   * @param remaining tokens after the one that the step leads to; −1 for the step to the end of the sentence.
   * @param label L for the end of the sentence.
   */
  private step(remaining: number, previous: number, label: number): number {
    const { labels, states, length, tagSet, typeOf, watches, begins, holds, ends } = this;
    const isForward = tagSet.direction === 'forward';
    const last = previous === states ? labels : previous % labels;
    const watch = previous === states ? 0 : (previous - last) / labels;
    // In text order: `left` and `right` are the labels before and after the place between two tokens.
    const left = isForward ? last : label;
    const right = isForward ? label : last;
    const read = length - 1 - remaining;
    const place = isForward ? read : length - read;
    const typeLeft = left === labels ? -1 : typeOf[left];
    const typeRight = right === labels ? -1 : typeOf[right];
    const opens = typeRight >= 0 && tagSet.opens[left * (labels + 1) + right] !== 0;
    const goesOn = typeRight >= 0 && !opens;
    const closes = typeLeft >= 0 && !goesOn;

    const begun = begins[place];
    if (begun && !(opens && typeRight === begun.type)) return -1;
    if (holds[place] && !goesOn) return -1;
    if (ends[place] && !closes) return -1;
    if (opens && this.closed.has(place * tagSet.types.length + typeRight)) return -1;
    const leaves = isForward ? closes : opens;
    const entered = watch === 0 ? -1 : watches.entered[read * watches.states + watch];
    if (leaves && entered >= 0) {
      const key = isForward
        ? this.spanKey(entered, place, typeLeft)
        : this.spanKey(place, length - entered, typeRight);
      if (this.forbidden.has(key)) return -1;
    }
    if (goesOn) return label + labels * (entered >= 0 && read < watches.last[entered] ? watch : 0);
    const enters = isForward ? opens : closes;
    return label + labels * (enters ? watches.watchOf[read] : 0);
  }

  private spanKey(start: number, end: number, type: number): number {
    return (start * (this.length + 1) + end) * this.tagSet.types.length + type;
  }
}

/** Which places of entry are watched, and by which watch. */
interface Watches {
  /** Watches and the one, 0, for what is not watched. */
  readonly states: number;
  /** [length + 1] watch of the chunks entered at a place; 0 for none. */
  readonly watchOf: Uint32Array;
  /** [length + 1] last place at which a chunk entered at a place must not be left. */
  readonly last: Uint32Array;
  /** [(length + 1) × states] where the chunk of a watch that comes to a place was entered; −1 where there is none. */
  readonly entered: Int32Array;
}

/** @param spans places where forbidden chunks are entered and left, in reading order. */
function watchEntries(spans: readonly (readonly number[])[], length: number): Watches {
  const last = new Uint32Array(length + 1);
  for (const [entry, exit] of spans) last[entry] = Math.max(last[entry], exit);
  const watchOf = new Uint32Array(length + 1);
  /** Last place of the entry that each watch has been given last. */
  const busyUntil = [0];
  for (let entry = 0; entry <= length; entry++) {
    if (last[entry] === 0) continue;
    let watch = 1;
    while (watch < busyUntil.length && busyUntil[watch] > entry) watch++;
    busyUntil[watch] = last[entry];
    watchOf[entry] = watch;
  }
  const states = busyUntil.length;
  const entered = new Int32Array((length + 1) * states).fill(-1);
  for (let entry = 0; entry <= length; entry++) {
    for (let place = entry + 1; place <= last[entry]; place++)
      entered[place * states + watchOf[entry]] = entry;
  }
  return { states, watchOf, last, entered };
}
