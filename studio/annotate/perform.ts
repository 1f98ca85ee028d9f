import { type Action, actionOf, keyOf, type PressedKey } from './keys.js';
import type { Move } from './selection.js';
import type { Work } from './work.js';

/** A dialog that a key opens. */
export type Opens = 'help' | 'label' | 'comment' | 'guidelines' | 'same';

const MOVES: Readonly<Partial<Record<Action, Move>>> = {
  growEnd: { bound: 'end', direction: 1, by: 'token' },
  shrinkEnd: { bound: 'end', direction: -1, by: 'token' },
  growStart: { bound: 'start', direction: -1, by: 'token' },
  shrinkStart: { bound: 'start', direction: 1, by: 'token' },
  growEndCharacter: { bound: 'end', direction: 1, by: 'character' },
  shrinkEndCharacter: { bound: 'end', direction: -1, by: 'character' },
  growStartCharacter: { bound: 'start', direction: -1, by: 'character' },
  shrinkStartCharacter: { bound: 'start', direction: 1, by: 'character' },
};

/** Arrows as they are in text that runs from right to left: the one to the left goes on. */
const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

function mirrored({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): PressedKey {
  return { key: MIRRORED[key] ?? key, ctrlKey, metaKey, altKey, shiftKey };
}

/** Does what a key press says; false where it says nothing here. */
export function perform(
  work: Work,
  pressed: KeyboardEvent,
  open: (dialog: Opens) => void,
  isRightToLeft: boolean,
): boolean {
  const event = isRightToLeft ? mirrored(pressed) : pressed;
  const key = keyOf(event);
  if (/^\d$/.test(key)) {
    const label = work.labels[(Number(key) + 9) % 10];
    if (label !== undefined) work.label(label);
    return label !== undefined;
  }
  const action = actionOf(event);
  if (action === undefined) return false;
  const move = MOVES[action];
  if (move) {
    work.moveBound(move);
    return true;
  }
  switch (action) {
    case 'left':
      work.move(-1);
      return true;
    case 'right':
      work.move(1);
      return true;
    case 'first':
      work.first();
      return true;
    case 'up':
      work.step(-1);
      return true;
    case 'down':
      work.step(1);
      return true;
    case 'nextSpan':
      return work.moveToSpan(1);
    case 'previousSpan':
      return work.moveToSpan(-1);
    case 'accept':
      work.accept();
      return true;
    case 'skip':
      work.skip();
      return true;
    case 'remove':
      work.remove();
      return true;
    case 'flag':
      work.flag();
      return true;
    case 'undo':
    case 'redo':
      work.switchBack(action);
      return true;
    case 'help':
    case 'label':
    case 'comment':
    case 'guidelines':
    case 'same':
      open(action);
      return true;
    default:
      return false;
  }
}
