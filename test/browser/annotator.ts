import type { Page } from 'playwright-core';

const PEOPLE = ['Ana', 'Bob', 'Eve', 'Tom', 'Zoe', 'Max'];
const PLACES = ['Rome', 'Oslo', 'Lima', 'Bern', 'Kyiv', 'Baku'];

/** Labels of words. */
export const NAMES: ReadonlyMap<string, string> = new Map([
  ...PEOPLE.map((name) => [name, 'PER'] as const),
  ...PLACES.map((name) => [name, 'LOC'] as const),
]);

/** Sentences with names, a document a line. */
export function texts(count: number): string {
  const verbs = ['met', 'saw', 'called', 'missed'];
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = [PEOPLE[i % 6], PEOPLE[(i * 5 + 1) % 6]];
    return `${a} ${verbs[i % 4]} ${b} 🦊 in ${PLACES[(i * 7 + (i >> 2)) % 6]} on day ${i}.`;
  }).join('\n\n');
}

interface Shown {
  readonly tokens: readonly {
    readonly text: string;
    readonly type: string | undefined;
    readonly isWhole: boolean;
  }[];
}

/** The tokens of the current sentence, with the labels that are shown. */
export function shown(page: Page): Promise<Shown> {
  return page.locator('.current').evaluate((row) => {
    const all = (
      row as unknown as { querySelectorAll(selector: string): Iterable<unknown> }
    ).querySelectorAll('.token');
    const tokens = [...all].map((token) => {
      const { textContent, parentElement } = token as {
        textContent: string;
        parentElement: {
          closest(selector: string): { dataset: { type: string } } | null;
          querySelectorAll(selector: string): { length: number };
        };
      };
      const mark = parentElement.closest('mark');
      return {
        text: textContent,
        type: mark?.dataset.type,
        isWhole: mark !== null && parentElement.querySelectorAll('.token').length === 1,
      };
    });
    return { tokens };
  });
}

/** Annotates the current sentence by keys alone, as somebody would who knows the names; how many keys it took. */
export async function annotate(page: Page, labels: readonly string[]): Promise<number> {
  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  const { length } = (await shown(page)).tokens;
  for (let t = 0; t < length; t++) {
    const { text, type, isWhole } = (await shown(page)).tokens[t];
    const wanted = NAMES.get(text);
    if (wanted === type && (type === undefined || isWhole)) continue;
    // The cursor starts on the first token of a sentence.
    await press('Home');
    for (let i = 0; i < t; i++) await page.keyboard.press('ArrowRight');
    if (type !== undefined) await press('Delete');
    if (wanted !== undefined) await press(String(labels.indexOf(wanted) + 1));
    await page.waitForTimeout(30);
  }
  await press('Enter');
  return keys;
}
