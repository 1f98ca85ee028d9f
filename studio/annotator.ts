import { signal } from '@preact/signals';

const KEY = 'spanwright-annotator';

/** Name of who annotates. */
export const annotatorName = signal(kept());

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? 'me';
  } catch {
    return 'me';
  }
}

/** Takes another name; on a server with tokens it is that of the token. */
export function chooseAnnotator(name: string): void {
  annotatorName.value = name;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A page without storage forgets it.
  }
}
