import { signal } from '@preact/signals';

/** What keys do while somebody annotates. */
export const ACTIONS = {
  accept: { help: 'all spans are right: next sentence', keys: ['Enter'] },
  skip: { help: 'leave the sentence out', keys: ['Space'] },
  remove: { help: 'there is no span here', keys: ['Delete', 'Backspace'] },
  label: { help: 'choose a label by typing', keys: ['l'] },
  left: { help: 'token before', keys: ['ArrowLeft'] },
  right: { help: 'token after', keys: ['ArrowRight'] },
  first: { help: 'first token of the sentence', keys: ['Home'] },
  shrinkEnd: { help: 'end of the span one token back', keys: ['Shift+ArrowLeft'] },
  growEnd: { help: 'end of the span one token on', keys: ['Shift+ArrowRight'] },
  growStart: { help: 'start of the span one token back', keys: ['Ctrl+Shift+ArrowLeft'] },
  shrinkStart: { help: 'start of the span one token on', keys: ['Ctrl+Shift+ArrowRight'] },
  shrinkEndCharacter: { help: 'end of the span one character back', keys: ['Alt+Shift+ArrowLeft'] },
  growEndCharacter: { help: 'end of the span one character on', keys: ['Alt+Shift+ArrowRight'] },
  growStartCharacter: { help: 'start of the span one character back', keys: ['Ctrl+Alt+Shift+ArrowLeft'] },
  shrinkStartCharacter: { help: 'start of the span one character on', keys: ['Ctrl+Alt+Shift+ArrowRight'] },
  nextSpan: { help: 'next span', keys: ['Tab'] },
  previousSpan: { help: 'span before', keys: ['Shift+Tab'] },
  down: { help: 'sentence below', keys: ['ArrowDown'] },
  up: { help: 'sentence above', keys: ['ArrowUp'] },
  same: { help: 'the same label for all equal strings of the document', keys: ['r'] },
  flag: { help: 'mark the sentence', keys: ['f'] },
  comment: { help: 'comment on the sentence', keys: ['c'] },
  guidelines: { help: 'guidelines', keys: ['g'] },
  undo: { help: 'take back', keys: ['Ctrl+z'] },
  redo: { help: 'do again', keys: ['Ctrl+y', 'Ctrl+Shift+z'] },
  help: { help: 'this list', keys: ['?'] },
} as const satisfies Readonly<Record<string, { help: string; keys: readonly string[] }>>;

/** Name of an action. */
export type Action = keyof typeof ACTIONS;

/** Keys by action, those that somebody chose in place of others. */
export type KeyMap = Readonly<Partial<Record<Action, readonly string[]>>>;

const KEY = 'spanwright-keys';

/** Keys that somebody chose. */
export const ownKeys = signal<KeyMap>(kept());
/** Whether single letters do something: people who speak to their machine may not want that. */
export const hasLetters = signal(keptFlag());

function kept(): KeyMap {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as KeyMap;
  } catch {
    return {};
  }
}

function keptFlag(): boolean {
  try {
    return localStorage.getItem(`${KEY}-letters`) !== 'off';
  } catch {
    return true;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A page without storage forgets it.
  }
}

/** Gives an action another key; without one, its usual ones. */
export function chooseKey(action: Action, key: string | undefined): void {
  const { [action]: _, ...others } = ownKeys.value;
  ownKeys.value = key === undefined ? others : { ...others, [action]: [key] };
  keep(KEY, JSON.stringify(ownKeys.value));
}

/** Says whether single letters do something. */
export function chooseLetters(isOn: boolean): void {
  hasLetters.value = isOn;
  keep(`${KEY}-letters`, isOn ? 'on' : 'off');
}

/** Keys of an action. */
export function keysOf(action: Action): readonly string[] {
  return ownKeys.value[action] ?? ACTIONS[action].keys;
}

/** What counts of a key press. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** A key press as it is written here: `Ctrl+Shift+ArrowLeft`. */
export function keyOf({ key, ctrlKey, metaKey, altKey, shiftKey }: PressedKey): string {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  // Signs such as ? come with Shift on some keyboards.
  const isShift = shiftKey && (key.length > 1 || /\p{L}/u.test(key));
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', isShift && 'Shift', name]
    .filter(Boolean)
    .join('+');
}

/** What a key press does. */
export function actionOf(event: PressedKey): Action | undefined {
  const key = keyOf(event);
  if (!hasLetters.value && /^\p{L}$/u.test(key)) return undefined;
  return (Object.keys(ACTIONS) as Action[]).find((action) => keysOf(action).includes(key));
}
