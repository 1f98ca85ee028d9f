import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { idOf, type Project } from '../../src/project/project.js';
import { freeName } from '../../src/project/store.js';
import { TOKENIZER_HELP, type TokenizerName } from '../../src/text/tokenizer-names.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import { place } from '../models.js';
import { addressOf, go, route } from '../route.js';
import { openStore } from '../store/open-store.js';
import { FileInput } from '../ui/file-input.js';
import { filesOf, Problems } from '../ui/project-parts.js';
import { ProjectPage } from './project-page.js';

/** Lists projects, makes new ones, and shows one. */
export function ProjectsView() {
  const [id] = route.value.parts;
  const projects = useSignal<readonly Project[] | undefined>(undefined);
  const trouble = useSignal('');
  const where = place.value;
  const load = async () => {
    try {
      projects.value = await (await openStore()).projects();
    } catch (error) {
      trouble.value = (error as Error).message;
    }
  };
  useEffect(() => {
    if (where) load();
  }, [where, id]);
  if (projects.value === undefined) {
    return (
      <>
        <h1>Projects</h1>
        <p role={trouble.value === '' ? 'status' : 'alert'}>{trouble.value || 'Opening …'}</p>
      </>
    );
  }
  const found = projects.value.find((project) => project.id === id);
  if (found) return <ProjectPage project={found} onChange={load} />;
  return (
    <>
      <h1>Projects</h1>
      <ProjectList projects={projects.value} onChange={load} />
      <NewProject projects={projects.value} />
      <p class="quiet">
        {where?.projects
          ? 'Projects are kept in the folder of the server.'
          : 'Projects are kept in this browser. Export them now and then: a browser may clear its data.'}
      </p>
    </>
  );
}

function ProjectList({
  projects,
  onChange,
}: {
  readonly projects: readonly Project[];
  readonly onChange: () => void;
}) {
  const there = projects.filter(({ trashed }) => !trashed);
  const away = projects.filter(({ trashed }) => trashed);
  const restore = async (project: Project) => {
    const { trashed: _, ...rest } = project;
    await (await openStore()).saveProject(rest);
    onChange();
  };
  return (
    <section class="panel">
      {there.length === 0 && <p class="quiet">There are none yet.</p>}
      <ul class="projects">
        {there.map((project) => (
          <li key={project.id}>
            <a href={addressOf('projects', [project.id])}>{project.title}</a>{' '}
            <span class="quiet">{project.layers.flatMap(({ labels }) => labels).join(', ')}</span>
            <a class="button" href={addressOf('annotate', [project.id])}>
              Annotate
            </a>
          </li>
        ))}
      </ul>
      {away.length > 0 && (
        <details>
          <summary>Trash</summary>
          <ul class="projects">
            {away.map((project) => (
              <li key={project.id}>
                {project.title}{' '}
                <button type="button" class="link" onClick={() => restore(project)}>
                  take out
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function NewProject({ projects }: { readonly projects: readonly Project[] }) {
  const files = useSignal<readonly File[]>([]);
  const isBusy = useSignal(false);
  const trouble = useSignal<readonly string[]>([]);
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    isBusy.value = true;
    trouble.value = [];
    try {
      const title = text('title') || files.value[0]?.name || 'Project';
      const tokenizer = text('tokenizer') as TokenizerName;
      const layer = 'spans';
      const given = await filesOf(files.value);
      const isGold = form.get('gold') !== null;
      const imported = await trainerEngine().ask('importFiles', {
        files: given,
        options: { tokenizer, layer, isGold },
      });
      const labels = [...new Set([...text('labels').split(/[\s,]+/), ...imported.labels])].filter(
        (label) => label !== '',
      );
      if (labels.length === 0) throw new Error('Name at least one label, or give a file that has some.');
      const project: Project = {
        id: freeName(idOf(title), (name) => projects.some((own) => own.id === name)),
        title,
        created: Date.now(),
        guidelines: '',
        tokenizer,
        layers: [{ name: layer, labels }],
        strategy: 'mixed',
        overlap: 0,
      };
      const store = await openStore();
      await store.saveProject(project);
      await store.addDocuments(project.id, imported.documents);
      if (imported.problems.length > 0) trouble.value = imported.problems;
      go('projects', [project.id]);
    } catch (error) {
      trouble.value = [(error as Error).message];
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="panel new" onSubmit={make}>
      <h2>New project</h2>
      <FileInput
        label="Texts"
        help="Drop files here: plain text, or labelled data in any format that is read (columns, JSONL spans, CoNLL-U, brat, Label Studio, …)"
        multiple
        onFiles={(list) => {
          files.value = list;
        }}
      />
      {files.value.length > 0 && <p>{files.value.map(({ name }) => name).join(', ')}</p>}
      <ProjectFields />
      <button type="submit" class="main" disabled={isBusy.value || place.value === undefined}>
        {isBusy.value ? 'Reading …' : 'Make the project'}
      </button>
      <Problems list={trouble.value} />
    </form>
  );
}

function ProjectFields() {
  return (
    <div class="fields">
      <label>
        Title <input name="title" type="text" maxLength={200} />
      </label>
      <label>
        Labels <input name="labels" type="text" placeholder="PER ORG LOC" />
      </label>
      <label>
        Tokens{' '}
        <select name="tokenizer">
          {Object.entries(TOKENIZER_HELP).map(([name, help]) => (
            <option key={name} value={name} title={help}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input name="gold" type="checkbox" /> labels in the files are right
      </label>
    </div>
  );
}
