import { grown } from '../base/growable.js';
import type { DerivedColumns } from '../features/derived-columns.js';
import { FIRST_VALUE, PADDING } from '../features/layout.js';
import { findStrings, layOutSentences, type TextCells } from '../kernels/find-ids.js';
import type { Bound } from '../kernels/kernel.js';
import type { KernelMemory } from '../kernels/kernels.js';
import { type Arrays, uint8, uint32 } from '../kernels/layout.js';
import type { Direction } from '../tags/direction.js';
import type { ColumnMemo } from './memo/column-memo.js';
import type { ScoringPlan } from './scoring-plan.js';
import { POSITIONS, type SentenceCells } from './stretch.js';

/** Bytes of text that the kernels can read at a time. */
const TEXT_BYTES = 1 << 18;

const KERNELS = { findStrings, layOutSentences };

/** Finds the ids of the strings at each position of a stretch, column by column. */
export class StretchIds {
  /** [columns × POSITIONS] ids by position. */
  readonly ids: Uint32Array;
  private readonly plan: ScoringPlan;
  private readonly columns: readonly ColumnMemo[];
  private readonly derived: DerivedColumns | undefined;
  private readonly isBackward: boolean;
  private readonly kernels: Bound<typeof KERNELS>;
  /** [TEXT_BYTES] text of the stretch. */
  private readonly text: Uint8Array;
  /** [POSITIONS × input columns × 2] cells of the stretch. */
  private readonly cells: Uint32Array;
  /** [POSITIONS + 1] starts of the stretch's sentences, in tokens from its first one on. */
  private readonly starts: Uint32Array;
  /** [columns × POSITIONS] ids of the stretch's strings in text order. */
  private readonly found: Uint32Array;
  /** [T] a sentence's characters as derived columns number them. */
  private characters = new Uint32Array(POSITIONS);

  /**
   * Arrays for a stretch.
   *
   * @hidden
   */
  static layout({ inputs, columns }: ScoringPlan) {
    return {
      text: uint8(TEXT_BYTES),
      cells: uint32(POSITIONS * inputs * 2),
      starts: uint32(POSITIONS + 1),
      found: uint32(columns.length * POSITIONS),
      ids: uint32(columns.length * POSITIONS),
    };
  }

  /**
   * @param columns memos of the columns.
   * @param derived columns made of characters.
   * @param arrays of the memory.
   */
  constructor(
    plan: ScoringPlan,
    columns: readonly ColumnMemo[],
    derived: DerivedColumns | undefined,
    direction: Direction,
    memory: KernelMemory,
    arrays: Arrays<ReturnType<typeof StretchIds.layout>>,
  ) {
    this.plan = plan;
    this.columns = columns;
    this.derived = derived;
    this.isBackward = direction === 'backward';
    this.kernels = memory.bind(KERNELS);
    this.ids = arrays.ids;
    this.text = arrays.text;
    this.cells = arrays.cells;
    this.starts = arrays.starts;
    this.found = arrays.found;
  }

  /** Finds the ids of a stretch of whole sentences, those from `first` to `end` − 1. */
  find(sentences: SentenceCells, first: number, end: number): void {
    const { columns, found, ids, starts, derived, isBackward: backward } = this;
    const { margin } = this.plan;
    const firstToken = sentences.starts[first];
    for (let s = first; s <= end; s++) starts[s - first] = sentences.starts[s] - firstToken;
    this.findStrings(sentences, firstToken, starts[end - first]);
    this.findWords(sentences, firstToken, starts[end - first]);
    for (let s = first; s < end && derived; s++) {
      this.deriveColumns(sentences, s);
      this.numberDerived(0, starts[s - first + 1] - starts[s - first], starts[s - first]);
    }
    for (let c = 0; c < columns.length; c++) {
      const at = c * POSITIONS;
      this.kernels.layOutSentences({
        found,
        first: at,
        starts,
        sentences: end - first,
        margin,
        end: PADDING,
        backward,
        ids,
        at,
      });
    }
  }

  /** Finds the ids of a part of a sentence: of `tokens` tokens from `from` on, in reading order. */
  findPart(sentences: SentenceCells, sentence: number, from: number, tokens: number): void {
    const { columns, found, ids, starts, isBackward: backward } = this;
    const { margin } = this.plan;
    const firstToken = sentences.starts[sentence];
    const length = sentences.starts[sentence + 1] - firstToken;
    const first = Math.max(0, from - margin);
    const count = Math.min(length, from + tokens + margin) - first;
    const lowest = backward ? length - first - count : first;
    starts[0] = 0;
    starts[1] = count;
    this.findStrings(sentences, firstToken + lowest, count);
    this.findWords(sentences, firstToken + lowest, count);
    this.numberDerived(lowest, count, 0);
    // Position of the first token that is found.
    const at = margin + first - from;
    for (let c = 0; c < columns.length; c++) {
      const base = c * POSITIONS;
      this.kernels.layOutSentences({
        found,
        first: base,
        starts,
        sentences: 1,
        margin: 0,
        end: PADDING,
        backward,
        ids,
        at: base + at,
      });
      for (let position = 0; position < at; position++) ids[base + position] = at - position;
      const past = at + count;
      for (let position = past; position < tokens + 2 * margin; position++) {
        ids[base + position] = PADDING + 1 + position - past;
      }
    }
  }

  /** Finds the ids of the strings of `count` tokens, in text order. */
  private findStrings({ bytes, cells }: SentenceCells, firstToken: number, count: number): void {
    const { columns, found, kernels } = this;
    const { inputs } = this.plan;
    const step = 2 * inputs;
    const first = firstToken * step;
    const last = first + (count - 1) * step;
    let start = bytes.length;
    let end = 0;
    for (let c = 0; c < inputs && count > 0; c++) {
      start = Math.min(start, cells[first + 2 * c]);
      end = Math.max(end, cells[last + 2 * c + 1]);
    }
    const fits = end - start <= TEXT_BYTES;
    if (fits) {
      this.text.set(bytes.subarray(start, end));
      this.cells.set(cells.subarray(first, first + count * step));
    }
    for (let c = 0; c < inputs; c++) {
      const at = c * POSITIONS;
      const text: TextCells = fits
        ? { bytes: this.text, base: start, cells: this.cells, cell: 2 * c, step, count }
        : { bytes, base: 0, cells, cell: first + 2 * c, step, count };
      const find = fits ? kernels.findStrings : findStrings.plain;
      const unknown = find({ table: columns[c].table, text, ids: found, at });
      if (unknown > 0) columns[c].add(!fits, text, found, at);
    }
  }

  /** Finds the ids of the cells of `count` tokens in columns that are derived of words, in text order. */
  private findWords({ bytes, derived }: SentenceCells, firstToken: number, count: number): void {
    if (!derived || count === 0) return;
    const { columns, found, kernels } = this;
    const { inputs } = this.plan;
    derived.forEach((cells, d) => {
      const memo = columns[inputs + d];
      const at = (inputs + d) * POSITIONS;
      if (memo.column.strings) {
        for (let t = 0; t < count; t++) found[at + t] = FIRST_VALUE + cells[firstToken + t];
        return;
      }
      const own = cells.subarray(2 * firstToken, 2 * (firstToken + count));
      let start = bytes.length;
      let end = 0;
      for (let t = 0; t < own.length; t += 2) {
        start = Math.min(start, own[t]);
        end = Math.max(end, own[t + 1]);
      }
      const fits = end - start <= TEXT_BYTES;
      if (fits) {
        if (end > start) this.text.set(bytes.subarray(start, end));
        this.cells.set(own);
      }
      const text: TextCells = fits
        ? { bytes: this.text, base: start, cells: this.cells, cell: 0, step: 2, count }
        : { bytes, base: 0, cells: own, cell: 0, step: 2, count };
      const find = fits ? kernels.findStrings : findStrings.plain;
      const unknown = find({ table: memo.table, text, ids: found, at });
      if (unknown > 0) memo.add(!fits, text, found, at);
    });
  }

  /** Fills the derived columns of a sentence. */
  deriveColumns({ bytes, cells, starts }: SentenceCells, sentence: number): void {
    const { derived } = this;
    const { inputs, wordColumn } = this.plan;
    if (!derived) return;
    const first = starts[sentence];
    const length = starts[sentence + 1] - first;
    this.characters = grown(this.characters, length);
    for (let t = 0; t < length; t++) {
      const at = 2 * ((first + t) * inputs + wordColumn);
      this.characters[t] = derived.characters.findBytes(bytes, cells[at], cells[at + 1]);
    }
    derived.fill(this.characters, length);
  }

  /** Takes the ids of `count` tokens of the sentence in the derived columns, from token `from` on, as those found from `at` on. */
  private numberDerived(from: number, count: number, at: number): void {
    const { derived, found } = this;
    const { inputs } = this.plan;
    derived?.cells.forEach((numbers, c) => {
      const to = (inputs + c) * POSITIONS + at;
      for (let i = 0; i < count; i++) found[to + i] = FIRST_VALUE + numbers[from + i];
    });
  }
}
