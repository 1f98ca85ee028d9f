import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { EXPORTS, type ExportName } from '../../src/project/export-documents.js';
import type { DocumentEntry, Project } from '../../src/project/project.js';
import { Session } from '../annotate/session.js';
import { annotatorName } from '../annotator.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import { addressOf, go } from '../route.js';
import { openStore } from '../store/open-store.js';
import { saveFile } from '../ui/download.js';
import { FileInput } from '../ui/file-input.js';
import { filesOf, Problems, sentencesOf, WhoIsIt } from '../ui/project-parts.js';
import { Team } from './team.js';

interface PageProps {
  readonly project: Project;
  readonly onChange: () => void;
}

/** A project: its documents, how far they are, and what goes in and out. */
export function ProjectPage({ project, onChange }: PageProps) {
  const entries = useSignal<readonly DocumentEntry[] | undefined>(undefined);
  const trouble = useSignal<readonly string[]>([]);
  const load = async () => {
    try {
      entries.value = await (await openStore()).documents(project.id);
    } catch (error) {
      trouble.value = [(error as Error).message];
    }
  };
  useEffect(() => {
    load();
  }, [project.id]);
  const importMore = async (files: readonly File[]) => {
    const options = { tokenizer: project.tokenizer, layer: project.layers[0].name, isGold: true };
    const imported = await trainerEngine().ask('importFiles', { files: await filesOf(files), options });
    const store = await openStore();
    const [first, ...others] = project.layers;
    const labels = [...new Set([...first.labels, ...imported.labels])];
    await store.saveProject({ ...project, layers: [{ ...first, labels }, ...others] });
    await store.addDocuments(project.id, imported.documents);
    trouble.value = imported.problems;
    onChange();
    await load();
  };
  const trash = async () => {
    await (await openStore()).saveProject({ ...project, trashed: true });
    onChange();
    go('projects');
  };
  const list = entries.value ?? [];
  return (
    <>
      <p class="crumbs">
        <a href={addressOf('projects')}>Projects</a>
      </p>
      <h1>{project.title}</h1>
      <section class="panel">
        <div class="row">
          <a class="button main" href={addressOf('annotate', [project.id])}>
            Annotate
          </a>
          <WhoIsIt />
          <span class="spread" />
          <span class="quiet">
            {list.length} document{list.length === 1 ? '' : 's'}, {sentencesOf(list).toLocaleString('en')}{' '}
            sentences
          </span>
        </div>
        <DocumentTable project={project} list={list} />
      </section>
      <Settings project={project} onChange={onChange} />
      <Exports project={project} />
      <Team project={project} />
      <section class="panel">
        <h2>More texts</h2>
        <FileInput
          label="Drop files here"
          help="Labels that they have count as right."
          multiple
          onFiles={importMore}
        />
        <Problems list={trouble.value} />
      </section>
      <button type="button" class="link" onClick={trash}>
        Put the project into the trash
      </button>
    </>
  );
}

interface TableProps {
  readonly project: Project;
  readonly list: readonly DocumentEntry[];
}

function DocumentTable({ project, list }: TableProps) {
  return (
    <>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Document</th>
              <th scope="col" class="number">
                Sentences
              </th>
              <th scope="col" class="number">
                Tokens
              </th>
            </tr>
          </thead>
          <tbody>
            {list.slice(0, 200).map(({ id, title, sentences, tokens }) => (
              <tr key={id}>
                <td>
                  <a href={addressOf('annotate', [project.id, id])}>{title}</a>
                </td>
                <td class="number">{sentences}</td>
                <td class="number">{tokens}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.length > 200 && <p class="quiet">and {list.length - 200} more</p>}
    </>
  );
}

function Settings({ project, onChange }: PageProps) {
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const labels = String(form.get('labels'))
      .split(/[\s,]+/)
      .filter((label) => label !== '');
    const [first, ...others] = project.layers;
    const store = await openStore();
    await store.saveProject({
      ...project,
      title: String(form.get('title')).trim() || project.title,
      guidelines: String(form.get('guidelines')),
      layers: [{ ...first, labels: [...new Set(labels)] }, ...others],
    });
    onChange();
  };
  return (
    <details class="panel">
      <summary>Title, labels, guidelines</summary>
      <form onSubmit={save}>
        <div class="fields">
          <label>
            Title <input name="title" type="text" defaultValue={project.title} maxLength={200} />
          </label>
          <label>
            Labels <input name="labels" type="text" defaultValue={project.layers[0].labels.join(' ')} />
          </label>
        </div>
        <label>
          Guidelines
          <textarea name="guidelines" defaultValue={project.guidelines} />
        </label>
        <p>
          <button type="submit" class="main">
            Save
          </button>
        </p>
      </form>
    </details>
  );
}

function Exports({ project }: { readonly project: Project }) {
  const format = useSignal<ExportName>('jsonl');
  const isAll = useSignal(false);
  const trouble = useSignal<readonly string[]>([]);
  const note = useSignal('');
  const write = async () => {
    try {
      trouble.value = [];
      const documents = await exported(project, annotatorName.value, isAll.value);
      const bytes = await trainerEngine().ask('exportFiles', { format: format.value, documents });
      saveFile(`${project.id}${EXPORTS[format.value].extension}`, bytes);
      note.value = `${documents.length} documents`;
    } catch (error) {
      trouble.value = [(error as Error).message];
    }
  };
  return (
    <section class="panel">
      <h2>Export</h2>
      <div class="row">
        <label>
          Format{' '}
          <select
            value={format.value}
            onChange={(event) => (format.value = event.currentTarget.value as ExportName)}
          >
            {(Object.keys(EXPORTS) as ExportName[]).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isAll.value}
            onChange={(event) => (isAll.value = event.currentTarget.checked)}
          />{' '}
          sentences that are not accepted, too
        </label>
        <button type="button" onClick={write}>
          Export
        </button>
        <span class="quiet" role="status">
          {note.value}
        </span>
      </div>
      <p class="quiet">{EXPORTS[format.value].help}. It can be imported again.</p>
      <Problems list={trouble.value} />
    </section>
  );
}

/** Documents with somebody's spans. */
async function exported(project: Project, annotator: string, isAll: boolean) {
  const session = await Session.open(await openStore(), project, annotator);
  const documents = [];
  for (const { id } of session.entries) {
    const document = await session.document(id);
    const spans = [];
    let isTouched = isAll;
    for (let s = 0; s < document.sentences; s++) {
      const { status, spans: own } = session.sentence(document, s);
      if (status === 'accepted') isTouched = true;
      if (isAll || status === 'accepted') spans.push(...own);
    }
    if (isTouched) documents.push({ stored: document.stored, spans });
  }
  return documents;
}
