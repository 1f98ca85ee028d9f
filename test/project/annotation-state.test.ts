import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CharacterSpan } from '../../src/data/span.js';
import { AnnotationState, overlap } from '../../src/project/annotation-state.js';
import { checkDecision, type Decision, type DecisionKind } from '../../src/project/decisions.js';

const spans = fc
  .record({
    start: fc.integer({ min: 0, max: 20 }),
    length: fc.integer({ min: 1, max: 5 }),
    type: fc.constantFrom('A', 'B'),
  })
  .map(({ start, length, type }): CharacterSpan => ({ start, end: start + length, type }));

/** A kind with what it needs. */
const contents = fc.oneof(
  ...(['add', 'remove'] as const).map((kind) => fc.record({ kind: fc.constant(kind), span: spans })),
  fc.record({ kind: fc.constant('change' as const), span: spans, from: spans }),
  fc.record({ kind: fc.constant('accept' as const), spans: fc.array(spans, { maxLength: 1 }) }),
  ...(['reopen', 'skip'] as const).map((kind) => fc.record({ kind: fc.constant(kind) })),
  fc.record({ kind: fc.constant('flag' as const), isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('comment' as const), text: fc.string() }),
);
const decisions = fc.array(fc.tuple(contents, fc.integer({ min: 0, max: 3 }), fc.boolean()), {
  minLength: 200,
  maxLength: 200,
});

/** Adds the next decision to a state. */
function add(state: AnnotationState, more: Partial<Decision> & { kind: DecisionKind }): void {
  state.add(checkDecision({ seq: state.last + 1, time: 0, doc: 'd', sentence: 0, layer: 'l', ...more }));
}

const statesOf = (state: AnnotationState) =>
  [0, 1, 2, 3].map((sentence) => state.sentence('d', sentence, 'l'));

describe('the state of an annotation', () => {
  it('is the first one again when 200 random decisions are undone, and the last one when they are redone', () => {
    fc.assert(
      fc.property(decisions, (list) => {
        const state = new AnnotationState();
        for (const [content, sentence, joins] of list) {
          // Some are made at once with the one before.
          const before = state.undoable?.[0];
          const group = joins && before ? { group: before.group ?? before.seq } : {};
          add(state, { ...content, sentence, ...group });
          for (const own of statesOf(state)) {
            const found = own?.spans ?? [];
            expect(found.some((span, s) => s > 0 && overlap(found[s - 1], span))).toBe(false);
          }
        }
        const last = statesOf(state);
        // What is folded from the journal is what was folded as it grew.
        const again = new AnnotationState();
        for (const decision of state.decisions) again.add(decision);
        expect(statesOf(again)).toEqual(last);
        for (let group = state.undoable; group; group = state.undoable) {
          add(state, { kind: 'undo', of: group[0].group ?? group[0].seq });
        }
        expect(statesOf(state)).toEqual([undefined, undefined, undefined, undefined]);
        for (let group = state.redoable; group; group = state.redoable) {
          add(state, { kind: 'redo', of: group[0].group ?? group[0].seq });
        }
        expect(statesOf(state)).toEqual(last);
      }),
      { numRuns: 15 },
    );
  });

  it('forgets what could be redone once something else is decided', () => {
    const state = new AnnotationState();
    add(state, { kind: 'skip' });
    add(state, { kind: 'undo', of: 1 });
    expect(state.redoable?.map(({ seq }) => seq)).toEqual([1]);
    add(state, { kind: 'flag', isOn: true });
    expect(state.redoable).toBeUndefined();
    expect(state.sentence('d', 0, 'l')).toMatchObject({ status: 'open', isFlagged: true });
  });

  it('refuses decisions that lack what their kind needs', () => {
    const base = { seq: 1, time: 0, doc: 'd', sentence: 0, layer: 'l' };
    expect(() => checkDecision({ ...base, kind: 'add' })).toThrow(
      'expected span with the kind add, found none',
    );
    expect(() => checkDecision({ ...base, kind: 'delete' })).toThrow(
      /expected add, remove, .* found "delete"/,
    );
    expect(() => checkDecision({ ...base, kind: 'skip', doc: '../x' })).toThrow(
      /decision, document: expected a name/,
    );
    expect(checkDecision({ ...base, kind: 'skip', evil: 1 })).toEqual({ ...base, kind: 'skip' });
  });
});
