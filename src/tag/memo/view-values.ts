import { decodeUtf8 } from '../../base/utf8.js';
import type { Alphabet } from '../../data/alphabet.js';
import { FIRST_VALUE } from '../../features/layout.js';
import type { ByteForm, View } from '../../features/views.js';
import { findStrings, type TextCells } from '../../kernels/find-ids.js';
import { findValues, type HashedStrings, mapStrings } from '../../kernels/find-values.js';
import type { Bound } from '../../kernels/kernel.js';
import type { KernelMemory } from '../../kernels/kernels.js';
import { type Arrays, uint8, uint32 } from '../../kernels/layout.js';
import { StringIds } from './string-ids.js';

const KERNELS = { findStrings, findValues, mapStrings };

/** Bytes of the images of a batch's strings under a map of characters. */
const IMAGE_BYTES = 1 << 13;
/** Images whose values are remembered at a time. */
const MOST_IMAGES = 1 << 12;
/** Bytes of remembered images together. */
const IMAGE_POOL = 1 << 19;
/** Mark of an image whose strings differ in value. */
const UNSETTLED = 0xfffffffe;
/** Mark of an image whose strings were not met. */
const UNMET = 0xffffffff;

/** Values of the images that have been met. */
interface ImageValues {
  readonly ids: StringIds;
  /** [MOST_IMAGES] value of the strings of each, or why there is none. */
  readonly values: Uint32Array;
}

/** A view, and what finds its values without making strings. */
interface Finder {
  readonly view: View;
  readonly alphabet: Alphabet;
  /** Hash table of the values, where the view is a work on bytes: of parts of strings, or of their images. */
  readonly table?: HashedStrings;
  /** [128] map of ASCII characters. */
  readonly map?: Uint8Array;
  /** Values by image, where the image is not itself the value. */
  readonly images?: ImageValues;
}

/**
 * Finds the value ids of strings under the views of a column, many at a time: in kernels where a view is a work on bytes, and
 * else from the string.
 */
export class ViewValues {
  /** [views × batch] value ids of the strings asked for last, 0 for none; in the kernels' memory. */
  readonly found: Uint32Array;
  private readonly kernels: Bound<typeof KERNELS>;
  private readonly batch: number;
  private readonly finders: readonly Finder[];
  /** [IMAGE_BYTES] images of the strings. */
  private readonly images: Uint8Array;
  /** [batch × 2] start and end of each image. */
  private readonly spans: Uint32Array;
  /** [batch] ids of the images. */
  private readonly imageIds: Uint32Array;
  /** [batch × 2] start and end of the images that are new. */
  private readonly added: Uint32Array;
  /** Texts of the batch that were made. */
  private readonly texts: (string | undefined)[] = [];

  /**
   * Arrays for the views of a column.
   *
   * @param alphabets strings of each view.
   * @param batch most strings that are asked for at a time.
   *
   * @hidden
   */
  static layout(views: readonly View[], alphabets: readonly Alphabet[], batch: number) {
    return {
      found: uint32(batch * views.length),
      images: uint8(IMAGE_BYTES),
      spans: uint32(2 * batch),
      imageIds: uint32(batch),
      added: uint32(2 * batch),
      finders: views.map((view, v) => finderLayout(view, alphabets[v])),
    };
  }

  /**
   * @param alphabets strings of each view.
   * @param batch most strings that are asked for at a time.
   * @param arrays of the memory.
   */
  constructor(
    views: readonly View[],
    alphabets: readonly Alphabet[],
    batch: number,
    memory: KernelMemory,
    arrays: Arrays<ReturnType<typeof ViewValues.layout>>,
  ) {
    this.kernels = memory.bind(KERNELS);
    this.batch = batch;
    this.found = arrays.found;
    this.images = arrays.images;
    this.spans = arrays.spans;
    this.imageIds = arrays.imageIds;
    this.added = arrays.added;
    this.finders = views.map((view, v) => finderOf(view, alphabets[v], memory, arrays.finders[v]));
  }

  /**
   * Finds the values of some strings.
   *
   * @param isOutside whether these are not in the kernels' memory.
   * @param bytes UTF-8.
   * @param spans [count × 2] start and end of each in `bytes`; in the kernels' memory.
   */
  find(isOutside: boolean, bytes: Uint8Array, spans: Uint32Array, count: number): void {
    const { finders, batch, found, kernels, images } = this;
    this.texts.length = 0;
    for (let v = 0; v < finders.length; v++) {
      const { view, table, map } = finders[v];
      const { bytes: form } = view;
      const at = v * batch;
      if (table === undefined || form === undefined) {
        for (let i = 0; i < count; i++) {
          found[at + i] = valueIn(finders[v], this.textOf(bytes, spans, i));
        }
      } else if (map === undefined || form.image === undefined) {
        const find = isOutside ? findValues.plain : kernels.findValues;
        find({ table, bytes, spans, count, part: form.part, first: FIRST_VALUE, out: found, at });
      } else {
        const write = isOutside ? mapStrings.plain : kernels.mapStrings;
        const { longestRun } = form.image;
        const { spans: outSpans } = this;
        const left = write({ bytes, spans, count, map, longestRun, out: images, outSpans });
        if (form.sharesValue) this.findByImage(finders[v], bytes, spans, count, at);
        else {
          const { part } = form;
          const first = FIRST_VALUE;
          kernels.findValues({ table, bytes: images, spans: outSpans, count, part, first, out: found, at });
        }
        if (left > 0) this.findLeft(finders[v], bytes, spans, count, at);
      }
    }
  }

  /** Value ids of a string under each view, 0 for none; for explanations, which no speed is needed for. */
  valuesOf(text: string): number[] {
    return this.finders.map((finder) => valueIn(finder, text));
  }

  /** Finds values by the images of strings. */
  private findByImage(
    finder: Finder,
    bytes: Uint8Array,
    spans: Uint32Array,
    count: number,
    at: number,
  ): void {
    const { ids, values } = finder.images as ImageValues;
    const { kernels, images, spans: imageSpans, imageIds, added, found } = this;
    const { sharesValue } = finder.view.bytes as Required<ByteForm>;
    if (ids.isFull(count)) ids.clear();
    const text: TextCells = { bytes: images, base: 0, cells: imageSpans, cell: 0, step: 2, count };
    if (kernels.findStrings({ table: ids.table, text, ids: imageIds, at: 0 }) > 0) {
      const { size } = ids;
      ids.add(false, text, imageIds, 0, added);
      values.fill(UNMET, size, ids.size);
    }
    for (let i = 0; i < count; i++) {
      const id = imageIds[i];
      if (values[id] < UNSETTLED) found[at + i] = values[id];
      else if (!this.isLeft(spans, i)) {
        const text = this.textOf(bytes, spans, i);
        found[at + i] = valueIn(finder, text);
        if (values[id] === UNMET) values[id] = sharesValue(text) ? found[at + i] : UNSETTLED;
      }
    }
  }

  /** Finds the values of the strings that have no image. */
  private findLeft(finder: Finder, bytes: Uint8Array, spans: Uint32Array, count: number, at: number): void {
    for (let i = 0; i < count; i++) {
      if (this.isLeft(spans, i)) this.found[at + i] = valueIn(finder, this.textOf(bytes, spans, i));
    }
  }

  /** Whether there is no image of a string. */
  private isLeft(spans: Uint32Array, i: number): boolean {
    return this.spans[2 * i + 1] === this.spans[2 * i] && spans[2 * i + 1] > spans[2 * i];
  }

  private textOf(bytes: Uint8Array, spans: Uint32Array, i: number): string {
    this.texts[i] ??= decodeUtf8(bytes.subarray(spans[2 * i], spans[2 * i + 1]));
    return this.texts[i];
  }
}

/** Value id of a string under a view, 0 for none. */
function valueIn({ view, alphabet }: Finder, text: string): number {
  const value = view.apply(text);
  const id = value === undefined ? -1 : alphabet.find(value);
  return id < 0 ? 0 : FIRST_VALUE + id;
}

/** Arrays of a {@link Finder}. */
function finderLayout({ bytes: form }: View, alphabet: Alphabet) {
  if (form === undefined) return undefined;
  const { slots, offsets, pool } = alphabet.tables();
  return {
    table: { slots: uint32(slots.length), offsets: uint32(offsets.length), pool: uint8(pool.length) },
    map: form.image && uint8(128),
    images: form.sharesValue && {
      ids: StringIds.layout(MOST_IMAGES, IMAGE_POOL),
      values: uint32(MOST_IMAGES),
    },
  };
}

function finderOf(
  view: View,
  alphabet: Alphabet,
  memory: KernelMemory,
  arrays: Arrays<ReturnType<typeof finderLayout>>,
): Finder {
  const { bytes: form } = view;
  if (form === undefined || arrays === undefined) return { view, alphabet };
  const { table, map, images } = arrays;
  const { slots, offsets, pool } = alphabet.tables();
  table.slots.set(slots);
  table.offsets.set(offsets);
  table.pool.set(pool);
  if (form.image === undefined || map === undefined) return { view, alphabet, table };
  map.set(form.image.map);
  if (images === undefined) return { view, alphabet, table, map };
  const ids = new StringIds(memory, 1, images.ids);
  return { view, alphabet, table, map, images: { ids, values: images.values } };
}
