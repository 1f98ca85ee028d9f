import { signal } from '@preact/signals';

/** Where the page is: `#/try?model=english-pos&text=…`. */
export interface Route {
  /** Name of the view. */
  readonly view: string;
  /** Parts of the path after it. */
  readonly parts: readonly string[];
  /** Parameters. */
  readonly query: Readonly<Record<string, string>>;
}

function read(hash: string): Route {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view, ...parts] = path.split('/').map(decoded);
  return { view: view || 'try', parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The current route. */
export const route = signal(read(location.hash));

addEventListener('hashchange', () => {
  route.value = read(location.hash);
});

/** The address of a view. */
export function addressOf(
  view: string,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams(query).toString();
  return `#/${[view, ...parts].map(encodeURIComponent).join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

/** Goes to a view. */
export function go(view: string, parts: readonly string[] = []): void {
  location.hash = addressOf(view, parts);
}

/** Changes what the address says of the current view, without a new entry in the history. */
export function note(query: Readonly<Record<string, string>>): void {
  const { view, parts } = route.value;
  history.replaceState(null, '', addressOf(view, parts, query));
}
