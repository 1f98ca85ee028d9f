import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { colourClass } from '../ui/colours.js';
import {
  ACTIONS,
  type Action,
  chooseKey,
  chooseLetters,
  hasLetters,
  keyOf,
  keysOf,
  ownKeys,
} from './keys.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page, which Escape closes. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input[type=text], textarea')?.focus();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <header class="row">
        <h2>{title}</h2>
        <span class="spread" />
        <button type="button" class="plain" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** The keys, each of which can be another. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const asks = useSignal<Action | undefined>(undefined);
  const take = (event: KeyboardEvent) => {
    const action = asks.value;
    if (action === undefined || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key !== 'Escape') chooseKey(action, keyOf(event));
    asks.value = undefined;
  };
  return (
    <Dialog title="Keys" onClose={onClose}>
      <p>
        <kbd>1</kbd> … <kbd>9</kbd>, <kbd>0</kbd> give the token or span the label of that number. A click
        chooses a token or span, dragging chooses several tokens.
      </p>
      <label>
        <input
          type="checkbox"
          checked={hasLetters.value}
          onChange={(event) => chooseLetters(event.currentTarget.checked)}
        />{' '}
        single letters do something
      </label>
      <table class="keys" onKeyDown={take}>
        <tbody>
          {(Object.keys(ACTIONS) as Action[]).map((action) => (
            <tr key={action}>
              <td>
                {keysOf(action).map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{ACTIONS[action].help}</td>
              <td>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    asks.value = action;
                  }}
                >
                  {asks.value === action ? 'press a key …' : 'change'}
                  <span class="hidden"> the key: {ACTIONS[action].help}</span>
                </button>
                {ownKeys.value[action] && (
                  <button type="button" class="link" onClick={() => chooseKey(action, undefined)}>
                    usual
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

interface LabelChooserProps {
  readonly labels: readonly string[];
  readonly onChoose: (label: string) => void;
  readonly onClose: () => void;
}

/** Finds a label by typing. */
export function LabelChooser({ labels, onChoose, onClose }: LabelChooserProps) {
  const typed = useSignal('');
  const at = useSignal(0);
  const found = labels.filter((label) => label.toLowerCase().includes(typed.value.toLowerCase()));
  const active = Math.min(at.value, Math.max(0, found.length - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') at.value = Math.min(found.length - 1, active + 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(0, active - 1);
    else if (event.key === 'Enter' && found.length > 0) onChoose(found[active]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Dialog title="Label" onClose={onClose}>
      <input
        type="text"
        aria-label="Label"
        role="combobox"
        aria-expanded="true"
        aria-controls="labels-found"
        aria-activedescendant={found.length > 0 ? `label-${active}` : undefined}
        value={typed.value}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
      />
      <div id="labels-found" role="listbox" aria-label="Labels" class="found" tabIndex={-1}>
        {found.map((label, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field above
          <div
            key={label}
            id={`label-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            onClick={() => onChoose(label)}
          >
            <span class={`key ${colourClass(labels, label)}`}>{label}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

interface TextDialogProps {
  readonly title: string;
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

/** Asks for a text. */
export function TextDialog({ title, text, onSave, onClose }: TextDialogProps) {
  const typed = useSignal(text);
  return (
    <Dialog title={title} onClose={onClose}>
      <textarea
        aria-label={title}
        dir="auto"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
      <p>
        <button type="button" class="main" onClick={() => onSave(typed.value)}>
          Save
        </button>
      </p>
    </Dialog>
  );
}
