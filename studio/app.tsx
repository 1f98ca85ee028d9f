import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { asksToken, findModels, problem } from './models.js';
import { addressOf, route } from './route.js';
import { chooseTheme, type Theme, theme } from './theme.js';
import { TryView } from './views/try.js';

/** Views by name; all but the first are read when they are opened. */
const VIEWS: Readonly<
  Record<string, { readonly title: string; readonly load: () => Promise<ComponentType> }>
> = {
  try: { title: 'Try', load: async () => TryView },
  train: { title: 'Train', load: async () => (await import('./views/train.js')).TrainView },
  annotate: { title: 'Annotate', load: async () => (await import('./views/annotate.js')).AnnotateView },
  compare: { title: 'Compare', load: async () => (await import('./views/compare.js')).CompareView },
  errors: { title: 'Errors', load: async () => (await import('./views/errors.js')).ErrorsView },
  projects: { title: 'Projects', load: async () => (await import('./views/projects.js')).ProjectsView },
};

const loaded = signal<Readonly<Record<string, ComponentType>>>({ try: TryView });

/** The page. */
export function App() {
  const { view } = route.value;
  const name = Object.hasOwn(VIEWS, view) ? view : 'try';
  const View = loaded.value[name];
  if (View === undefined) load(name);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href="#/try">
          <img src="icon.svg" alt="" width="24" height="24" />
          <span>Spanwright</span>
        </a>
        <nav aria-label="Views">
          {Object.entries(VIEWS).map(([key, { title }]) => (
            <a key={key} href={addressOf(key)} aria-current={key === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ThemeChoice />
      </header>
      <main id="main" tabIndex={-1}>
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {asksToken.value ? <TokenForm /> : View ? <View /> : <p class="quiet">Loading …</p>}
      </main>
    </>
  );
}

async function load(name: string): Promise<void> {
  try {
    const View = await VIEWS[name].load();
    loaded.value = { ...loaded.value, [name]: View };
  } catch (error) {
    problem.value = `The view could not be loaded: ${(error as Error).message}`;
  }
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function ThemeChoice() {
  return (
    <label class="theme">
      <span class="hidden">Colours</span>
      <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name === 'system' ? 'auto' : name}
          </option>
        ))}
      </select>
    </label>
  );
}

const refusal = signal('');

/** Asks for the token that this server wants. */
function TokenForm() {
  const enter = async (event: SubmitEvent) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get('token'));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('api/v1/session', { method: 'POST', headers, body: JSON.stringify(token) });
    if (response.ok) await findModels();
    else refusal.value = ((await response.json()) as { error: { message: string } }).error.message;
  };
  return (
    <form class="panel token" onSubmit={enter}>
      <h1>Who are you?</h1>
      <p>This server is for those who have a token. Whoever runs it gives you one.</p>
      <label>
        Token <input name="token" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="main">
        Enter
      </button>
      <p role="alert" class="problem-text">
        {refusal.value}
      </p>
    </form>
  );
}
