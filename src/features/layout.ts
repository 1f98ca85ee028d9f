import { OptionError } from '../base/errors.js';
import type { Direction } from '../tags/direction.js';
import { MAX_OFFSET, readsChunk, type Template, type TokenNode } from './template.js';

/** Positions outside a sentence that have a value of their own, on each side: as far as templates may look. */
export const PADDING = MAX_OFFSET;

/**
 * Value ids: 0 is "no value", 1 … PADDING stand for positions that far before the sentence, PADDING + 1 …
 * 2 · PADDING for positions that far after it; strings follow.
 */
export const FIRST_VALUE = 2 * PADDING + 1;

/** Which earlier labels a placement reads. */
export type History = 'none' | 'previous' | 'before-previous' | 'both';

/** One template as a conjunction seen from the current token. */
export interface Placement {
  /** Number of the template in its set. */
  readonly template: number;
  /** Where the conjunction stands, relative to the current token, in reading order. */
  readonly offset: number;
  /** Labels it is joined with. */
  readonly history: History;
  /** Slots `firstSlot … firstSlot + slots − 1` are this placement's, one per combination of labels. */
  readonly firstSlot: number;
  /** Number of slots: 1 without history, L + 1 for one label, (L + 1)² for two. */
  readonly slots: number;
  /** Slots from one label₋₁ to the next; 0 where it is not read. */
  readonly previousStep: number;
  /** Slots from one label₋₂ to the next; 0 where it is not read. */
  readonly beforePreviousStep: number;
}

/**
 * Templates of one shape, such as (word, next word): the tuple of values is found once per position and serves
 * every template that places the shape somewhere.
 */
export interface Conjunction {
  /** Views joined, as indices into {@link Layout.views}. */
  readonly views: readonly number[];
  /** Where each view is read, from 0. */
  readonly shifts: readonly number[];
  /** Placements without history first. */
  readonly placements: readonly Placement[];
  /** Number of placements without history; their slots come first. */
  readonly fixedSlots: number;
  /** Number of slots of all placements. */
  readonly slots: number;
}

/** A template set in the form that extraction and labelling work on. */
export interface Layout {
  /** Names of all views that templates read. */
  readonly views: readonly string[];
  /** The shapes. */
  readonly conjunctions: readonly Conjunction[];
  /** Furthest that any template looks from the current token. */
  readonly reach: number;
}

/**
 * Groups templates by shape. Of those that need a chunk only the views count here; see `ChunkIndex`.
 *
 * @param labels number of labels L.
 * @param direction offsets are given in text order and turned to reading order here, so that everything behind this
 *   point sees one direction only.
 */
export function layOut(templates: readonly Template[], direction: Direction, labels: number): Layout {
  const views: string[] = [];
  const shapes = new Map<
    string,
    { views: number[]; shifts: number[]; found: Omit<Placement, 'firstSlot'>[] }
  >();
  let reach = 0;
  const numberOf = (view: string) => {
    if (!views.includes(view)) views.push(view);
    return views.indexOf(view);
  };
  templates.forEach((template, index) => {
    if (readsChunk(template)) {
      for (const node of template.nodes) if ('view' in node) numberOf(node.view);
      return;
    }
    const parts = template.nodes
      .filter((node): node is TokenNode => node.kind === 'token')
      .map((node) => ({ view: numberOf(node.view), offset: readingOffset(node.offset, direction) }))
      .sort((a, b) => a.offset - b.offset || a.view - b.view);
    for (const { offset } of parts) reach = Math.max(reach, Math.abs(offset));
    const base = parts.length === 0 ? 0 : parts[0].offset;
    const shape = {
      views: parts.map((part) => part.view),
      shifts: parts.map((part) => part.offset - base),
      found: [],
    };
    const key = JSON.stringify([shape.views, shape.shifts]);
    if (!shapes.has(key)) shapes.set(key, shape);
    const history = historyOf(template);
    shapes.get(key)?.found.push({ template: index, offset: base, history, ...slotSteps(history, labels) });
  });
  const conjunctions = [...shapes.values()].map((shape): Conjunction => {
    const fixed = shape.found.filter((placement) => placement.history === 'none');
    const joined = shape.found.filter((placement) => placement.history !== 'none');
    let slots = 0;
    const placements = [...fixed, ...joined].map((placement): Placement => {
      const firstSlot = slots;
      slots += placement.slots;
      return { ...placement, firstSlot };
    });
    if (slots > 65536) {
      throw new OptionError(
        'templates',
        `label pairs as features: expected at most 254 labels, found ${labels}; is the last of --columns the one that holds labels, ` +
          'and --input-format that of the data?',
      );
    }
    return { views: shape.views, shifts: shape.shifts, placements, fixedSlots: fixed.length, slots };
  });
  return { views, conjunctions, reach };
}

/** A text-order offset in reading order. */
export function readingOffset(offset: number, direction: Direction): number {
  return direction === 'forward' || offset === 0 ? offset : -offset;
}

/** The slot of a placement after the labels read before the token; L stands for "none yet". */
export function slotOf(placement: Placement, previous: number, beforePrevious: number): number {
  const { firstSlot, previousStep, beforePreviousStep } = placement;
  return firstSlot + previousStep * previous + beforePreviousStep * beforePrevious;
}

function historyOf(template: Template): History {
  const previous = template.nodes.some((node) => node.kind === 'label' && node.offset === -1);
  const beforePrevious = template.nodes.some((node) => node.kind === 'label' && node.offset === -2);
  if (previous) return beforePrevious ? 'both' : 'previous';
  return beforePrevious ? 'before-previous' : 'none';
}

/** How slots count with earlier labels; label₋₂ is the faster one where both are read. */
function slotSteps(history: History, labels: number) {
  const choices = labels + 1;
  switch (history) {
    case 'none':
      return { slots: 1, previousStep: 0, beforePreviousStep: 0 };
    case 'previous':
      return { slots: choices, previousStep: 1, beforePreviousStep: 0 };
    case 'before-previous':
      return { slots: choices, previousStep: 0, beforePreviousStep: 1 };
    case 'both':
      return { slots: choices * choices, previousStep: choices, beforePreviousStep: 1 };
  }
}
