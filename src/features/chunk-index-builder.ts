import { Uint32List } from '../base/growable.js';
import { ChunkIndex } from './chunk-index.js';
import { type ChunkTables, makeChunkTables, pruneChunkTables } from './chunk-template.js';
import { ChunkValues, type SentenceValues } from './chunk-values.js';
import type { Template } from './template.js';

/** Takes in and counts the features of the chunks of one sentence after another, for a {@link ChunkIndex}. */
export class ChunkIndexBuilder {
  private readonly templates: readonly Template[];
  private readonly views: readonly string[];
  private readonly types: number;
  private readonly tables: ChunkTables;
  private readonly values: ChunkValues;
  /** [templates] how often each tuple was met. */
  private readonly counts: readonly Uint32List[];
  private readonly key = new Uint32Array(16);

  /**
   * @param templates those of chunks, read forward.
   * @param views names of the layout's views.
   * @param types number of types.
   */
  constructor(templates: readonly Template[], views: readonly string[], types: number) {
    this.templates = templates;
    this.views = views;
    this.types = types;
    this.tables = makeChunkTables(templates, views);
    this.values = new ChunkValues(this.tables);
    this.counts = templates.map(() => new Uint32List(64));
  }

  /** Takes up a sentence, whose values must be filled in. */
  start(sentence: SentenceValues): void {
    this.values.start(sentence);
  }

  /** Counts the features of a chunk, the tokens from `begin` to `end` − 1 of the sentence. */
  count(begin: number, end: number): void {
    const { counts, key, values } = this;
    for (const template of this.tables.templates) {
      if (!values.writeKey(template, begin, end, true, key)) continue;
      const tuple = template.table.id(key, true);
      const own = counts[template.number];
      if (tuple === own.length) own.push(0);
      own.values[tuple]++;
    }
  }

  /** The index of the features that were met as often as the cut-off, or more often. */
  finish(cutOff: number): ChunkIndex {
    const { templates, views, types, tables, counts } = this;
    const keeps = (template: number, tuple: number) => counts[template].values[tuple] >= cutOff;
    return new ChunkIndex(templates, views, types, pruneChunkTables(tables, keeps));
  }
}
