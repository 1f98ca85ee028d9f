import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { scoreSuggestions } from '../../src/project/choose-sentence.js';
import type { OpenDocument } from '../../src/project/document.js';
import { STRATEGIES, type Strategy } from '../../src/project/project.js';
import { Coach } from '../annotate/coach.js';
import { Dialog, KeySheet, LabelChooser, TextDialog } from '../annotate/dialogs.js';
import { type Opens, perform } from '../annotate/perform.js';
import { Rows } from '../annotate/rows.js';
import { SentenceText } from '../annotate/sentence-text.js';
import { Session } from '../annotate/session.js';
import { Work } from '../annotate/work.js';
import { annotatorName } from '../annotator.js';
import { addressOf, route } from '../route.js';
import { openStore } from '../store/open-store.js';
import { colourClass } from '../ui/colours.js';

interface Desk {
  readonly session: Session;
  readonly coach: Coach;
  readonly work: Work;
}

/** Annotates the texts of a project. */
export function AnnotateView() {
  const [project, doc, sentence] = route.value.parts;
  const desk = useSignal<Desk | undefined>(undefined);
  const trouble = useSignal('');
  const who = annotatorName.value;
  useEffect(() => {
    let isStale = false;
    desk.value = undefined;
    const open = async () => {
      const store = await openStore();
      const found = (await store.projects()).find(({ id }) => id === project);
      if (found === undefined) throw new Error('Choose a project first.');
      const session = await Session.open(store, found, who);
      if (session.entries.length === 0) throw new Error('The project has no documents yet.');
      const coach = new Coach(session);
      const work = new Work(session, coach);
      const first = await session.document(doc ?? session.entries[0].id);
      const open0 = Array.from({ length: first.sentences }, (_, s) => s).find(
        (s) => session.sentence(first, s).status === 'open',
      );
      await work.open(first, Math.min(Number(sentence ?? open0 ?? 0), first.sentences - 1));
      if (isStale) return;
      desk.value = { session, coach, work };
      coach.start().catch((error: Error) => {
        trouble.value = error.message;
      });
    };
    open().catch((error: Error) => {
      trouble.value = error.message;
    });
    return () => {
      isStale = true;
      desk.value?.coach.stop();
    };
  }, [project, doc, sentence, who]);
  if (desk.value === undefined) {
    return (
      <>
        <h1>Annotate</h1>
        {trouble.value === '' ? (
          <p class="quiet">Opening …</p>
        ) : (
          <p role="alert">
            {trouble.value} <a href={addressOf('projects')}>Projects</a>
          </p>
        )}
      </>
    );
  }
  return <Board {...desk.value} />;
}

function Board({ session, coach, work }: Desk) {
  const dialog = useSignal<Opens | undefined>(undefined);
  const board = useRef<HTMLDivElement>(null);
  const document = work.document.value as OpenDocument;
  const current = work.sentence.value;
  // Drawn again whenever something was decided or the model is another.
  void session.version.value;
  useEffect(() => {
    work.ask();
  }, [coach.version.value]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session.saving.value.pending > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [session]);
  const focus = () => board.current?.querySelector<HTMLElement>('.rows')?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (dialog.value === undefined) focus();
  }, [document, dialog.value]);
  const close = () => {
    dialog.value = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const words = board.current?.querySelector('.current .words');
    const isRightToLeft = words ? getComputedStyle(words).direction === 'rtl' : false;
    if (perform(work, event, (name) => (dialog.value = name), isRightToLeft)) event.preventDefault();
  };
  const guess = useMemo(() => (row: number) => guessHeight(document, row), [document]);
  return (
    <div class="annotate" ref={board}>
      <Bar session={session} coach={coach} work={work} open={(name) => (dialog.value = name)} />
      <LabelBar work={work} />
      <Rows
        count={document.sentences}
        name={document.stored.id}
        current={current}
        guess={guess}
        onKeyDown={onKeyDown}
        draw={(row) => <Row session={session} work={work} row={row} isCurrent={row === current} />}
      />
      <p class="hidden" role="status">
        {work.said.value}
      </p>
      {dialog.value && <Dialogs work={work} session={session} name={dialog.value} close={close} />}
    </div>
  );
}

/** Characters to a line, about, and pixels to a line. */
const LINE = 75;
const LINE_HEIGHT = 36;

function guessHeight(document: OpenDocument, row: number): number {
  const length = document.endOf(row) - document.startOf(row);
  return 18 + LINE_HEIGHT * Math.ceil((length + 1) / LINE);
}

interface RowProps {
  readonly session: Session;
  readonly work: Work;
  readonly row: number;
  readonly isCurrent: boolean;
}

const MARKS = { open: '', accepted: '✓', skipped: '–' } as const;

function Row({ session, work, row, isCurrent }: RowProps) {
  const document = work.document.value as OpenDocument;
  void session.version.value;
  const { status, isFlagged, comment } = session.sentence(document, row);
  const spans = isCurrent ? work.spans : work.spansOf(row);
  const text = (
    <SentenceText
      document={document}
      sentence={row}
      spans={spans}
      types={work.labels}
      cursor={isCurrent ? work.cursor.value : undefined}
    />
  );
  return (
    <div class={`line ${status}`}>
      <span class="number">
        {row + 1} <span class="mark">{MARKS[status]}</span>
        {isFlagged && <span title="marked"> ⚑</span>}
        <span class="hidden">{status}</span>
      </span>
      {isCurrent ? (
        <div class="field" onPointerUp={(event) => choose(event, work)}>
          {text}
          {work.isBlind.value && status === 'open' && <span class="hint">without suggestions</span>}
          {comment !== '' && <p class="said">{comment}</p>}
        </div>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        <div class="field" onClick={() => work.open(document, row)}>
          {text}
          {comment !== '' && <p class="said">{comment}</p>}
        </div>
      )}
    </div>
  );
}

/** Takes what the pointer chose: the tokens of a selection, or the token or span that was clicked. */
function choose(event: PointerEvent, work: Work): void {
  const selection = getSelection();
  const stretchOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const token = element?.closest<HTMLElement>('.token');
    return token ? { start: Number(token.dataset.start), end: Number(token.dataset.end) } : undefined;
  };
  if (selection && !selection.isCollapsed) {
    const [a, b] = [stretchOf(selection.anchorNode), stretchOf(selection.focusNode)];
    if (a && b) work.cursor.value = { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
    selection.removeAllRanges();
    return;
  }
  const token = stretchOf(event.target as Node);
  if (token) work.cursor.value = token;
}

function LabelBar({ work }: { readonly work: Work }) {
  return (
    <fieldset class="choices labels">
      <legend class="hidden">Labels</legend>
      {work.labels.map((label, i) => (
        <button
          key={label}
          type="button"
          class={`key ${colourClass(work.labels, label)}`}
          onClick={() => work.label(label)}
        >
          {i < 10 && <kbd>{(i + 1) % 10}</kbd>} {label}
        </button>
      ))}
      <button type="button" onClick={() => work.remove()}>
        <kbd>⌫</kbd> none
      </button>
      <span class="spread" />
      <button type="button" class="main" onClick={() => work.accept()}>
        Accept <kbd>↵</kbd>
      </button>
      <button type="button" onClick={() => work.skip()}>
        Skip
      </button>
    </fieldset>
  );
}

interface BarProps extends Desk {
  readonly open: (name: Opens) => void;
}

function Bar({ session, coach, work, open }: BarProps) {
  const { project, entries } = session;
  const document = work.document.value as OpenDocument;
  const { pending, problem } = session.saving.value;
  void session.version.value;
  const done = session.doneIn(document);
  return (
    <header class="row bar">
      <h1>
        <a href={addressOf('projects', [project.id])}>{project.title}</a>
      </h1>
      {entries.length > 1 && (
        <label>
          <span class="hidden">Document</span>
          <select
            value={document.stored.id}
            onChange={async (event) => work.open(await session.document(event.currentTarget.value), 0)}
          >
            {entries.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="quiet progress">
        {done} of {document.sentences} sentences
      </span>
      <ModelNote session={session} coach={coach} />
      <span class="spread" />
      <Order coach={coach} strategy={project.strategy} />
      <button type="button" aria-label="Undo" title="Undo" onClick={() => work.switchBack('undo')}>
        ↶
      </button>
      <button type="button" aria-label="Redo" title="Redo" onClick={() => work.switchBack('redo')}>
        ↷
      </button>
      <button type="button" onClick={() => open('help')}>
        Keys <kbd>?</kbd>
      </button>
      <span class={problem ? 'saving problem-text' : 'saving quiet'} role="status">
        {problem ? `Not saved: ${problem}` : pending > 0 ? 'Saving …' : 'Saved'}
      </span>
    </header>
  );
}

function Order({ coach, strategy }: { readonly coach: Coach; readonly strategy: Strategy }) {
  const chosen = useSignal(strategy);
  return (
    <label>
      Next{' '}
      <select
        value={chosen.value}
        onChange={(event) => {
          chosen.value = event.currentTarget.value as Strategy;
          coach.strategy = chosen.value;
        }}
      >
        {Object.entries(STRATEGIES).map(([name, help]) => (
          <option key={name} value={name} title={help}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ModelNote({ session, coach }: { readonly session: Session; readonly coach: Coach }) {
  const model = coach.model.value;
  void session.version.value;
  const { sentences, f1 } = scoreSuggestions(session.state.decisions);
  return (
    <span class="quiet model-note">
      {model === undefined
        ? coach.isTraining.value
          ? 'training …'
          : 'suggestions from five sentences on'
        : `model of ${model.sentences} sentences, ${(model.milliseconds / 1000).toFixed(1)} s`}
      {sentences >= 10 && Number.isFinite(f1) && ` · F ${f1.toFixed(0)} on ${sentences} random sentences`}
      {coach.isStable && ' · more annotation changes little'}
    </span>
  );
}

interface DialogsProps {
  readonly work: Work;
  readonly session: Session;
  readonly name: Opens;
  readonly close: () => void;
}

function Dialogs({ work, session, name, close }: DialogsProps) {
  const closing = (act: () => void) => () => {
    act();
    close();
  };
  if (name === 'help') return <KeySheet onClose={close} />;
  if (name === 'label') {
    const choosing = (label: string) => {
      work.label(label);
      close();
    };
    return <LabelChooser labels={work.labels} onChoose={choosing} onClose={close} />;
  }
  if (name === 'comment') {
    const save = (text: string) => {
      work.comment(text);
      close();
    };
    return <TextDialog title="Comment" text={work.state.comment} onSave={save} onClose={close} />;
  }
  if (name === 'guidelines') {
    return (
      <Dialog title="Guidelines" onClose={close}>
        <p class="guidelines">{session.project.guidelines || 'There are none yet.'}</p>
      </Dialog>
    );
  }
  const same = work.same();
  return (
    <Dialog title="All the same strings" onClose={close}>
      {same === undefined ? (
        <p>There is no span here.</p>
      ) : (
        <>
          <p>
            {same.places.length} more places of the document have the same string. All of them get the label{' '}
            {same.span.type}?
          </p>
          <p>
            <button type="button" class="main" onClick={closing(() => work.labelSame(same))}>
              Label {same.places.length + 1}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
