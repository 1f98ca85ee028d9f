import { grown } from '../base/growable.js';
import type { Span } from '../data/span.js';
import { type Model, stageTypes } from '../model/model.js';
import type { SentenceCells } from './stretch.js';

/** What the first stage needs of its tagger. */
interface StageTagger {
  readonly model: Model;
  readonly inputColumns: readonly string[];
  spans(): Span[];
  decodeMany(
    bytes: Uint8Array,
    cells: Uint32Array,
    starts: Uint32Array,
    count: number,
    each: () => void,
    documents: ArrayLike<number>,
  ): void;
}

/** Labels sentences for the second of two stages. */
export class FirstStage {
  private readonly tagger: StageTagger;
  /** Number of input columns of the second stage, and which of them the first one reads. */
  private readonly inputs: number;
  private readonly read: readonly number[];
  private readonly types: readonly string[];
  /** Cells of the first stage, where it reads other columns than the second. */
  private cells = new Uint32Array(0);

  /** @param inputs input columns of the second stage, among them those of the first. */
  constructor(tagger: StageTagger, inputs: readonly string[]) {
    this.tagger = tagger;
    this.inputs = inputs.length;
    this.read = tagger.inputColumns.map((name) => inputs.indexOf(name));
    this.types = stageTypes(tagger.model);
  }

  /** [sentences] first token, token after the last and type of each span, in text order. */
  decode({ bytes, cells, starts }: SentenceCells, count: number, documents: ArrayLike<number>): number[][] {
    const { tagger, types } = this;
    const spans: number[][] = [];
    const take = () => {
      spans.push(tagger.spans().flatMap(({ start, end, type }) => [start, end, types.indexOf(type)]));
    };
    tagger.decodeMany(bytes, this.ownCells(cells, starts[count]), starts, count, take, documents);
    return spans;
  }

  private ownCells(cells: Uint32Array, tokens: number): Uint32Array {
    const { inputs, read } = this;
    if (read.length === inputs) return cells;
    this.cells = grown(this.cells, 2 * tokens * read.length);
    let at = 0;
    for (let t = 0; t < tokens; t++) {
      for (const column of read) {
        this.cells[at++] = cells[2 * (t * inputs + column)];
        this.cells[at++] = cells[2 * (t * inputs + column) + 1];
      }
    }
    return this.cells;
  }
}
