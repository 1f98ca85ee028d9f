import type { DocumentEntry } from '../../src/project/project.js';
import { annotatorName, chooseAnnotator } from '../annotator.js';
import { place } from '../models.js';

/** Files with their bytes. */
export function filesOf(files: readonly File[]): Promise<{ name: string; bytes: Uint8Array }[]> {
  return Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
}

/** What could not be read. */
export function Problems({ list }: { readonly list: readonly string[] }) {
  return (
    <ul class="problems" role="alert">
      {list.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}

/** Asks who annotates, where no token says so. */
export function WhoIsIt() {
  if (place.value?.needsToken) return <p>You are {annotatorName.value}.</p>;
  return (
    <label>
      You are{' '}
      <input
        type="text"
        pattern="[a-z0-9\-]{1,64}"
        title="a-z, 0-9 and -"
        value={annotatorName.value}
        onChange={(event) => {
          if (event.currentTarget.checkValidity()) chooseAnnotator(event.currentTarget.value);
        }}
      />
    </label>
  );
}

/** Number of sentences of some documents. */
export function sentencesOf(entries: readonly DocumentEntry[]): number {
  return entries.reduce((sum, { sentences }) => sum + sentences, 0);
}
