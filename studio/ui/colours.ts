/** Number of colours; each stands beside the name of its type, so that none has to be told by colour alone. */
const COLOURS = 12;

/** Class of a type's colour, by its place among all types. */
export function colourClass(types: readonly string[], type: string): string {
  const place = types.indexOf(type);
  return `c${(place < 0 ? hashOf(type) : place) % COLOURS}`;
}

function hashOf(text: string): number {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return hash;
}

/** 0.934 as `93 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
