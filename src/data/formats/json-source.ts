/**
 * Parts of JSON as they are written: what a program does not read it can so write again, numbers that no double holds
 * among it. All functions expect valid JSON, as JSON.parse accepts it.
 */

/** An object's members: keys, and values as JSON text. Of a key that stands twice the last value counts. */
export type JsonMembers = Map<string, string>;

/** The members of an object, in order. */
export function jsonMembers(source: string): JsonMembers {
  const members: JsonMembers = new Map();
  let at = skipBlanks(source, source.indexOf('{') + 1);
  while (source[at] !== '}') {
    const keyEnd = valueEnd(source, at);
    const start = skipBlanks(source, skipBlanks(source, keyEnd) + 1);
    const end = valueEnd(source, start);
    members.set(JSON.parse(source.slice(at, keyEnd)) as string, source.slice(start, end));
    at = nextPart(source, end);
  }
  return members;
}

/** The elements of a list, in order. */
export function jsonElements(source: string): string[] {
  const elements: string[] = [];
  let at = skipBlanks(source, source.indexOf('[') + 1);
  while (source[at] !== ']') {
    const end = valueEnd(source, at);
    elements.push(source.slice(at, end));
    at = nextPart(source, end);
  }
  return elements;
}

/** An object of the members. */
export function jsonObject(members: JsonMembers): string {
  return `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

/** Where the next part starts after one that ends at `end`, or the closing bracket. */
function nextPart(source: string, end: number): number {
  const at = skipBlanks(source, end);
  return source[at] === ',' ? skipBlanks(source, at + 1) : at;
}

function skipBlanks(source: string, start: number): number {
  let at = start;
  while (' \t\r\n'.includes(source[at])) at++;
  return at;
}

/** Where the value that starts at `start` ends. */
function valueEnd(source: string, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const character = source[at];
    if (character === '"') at = stringEnd(source, at);
    else if (character === '{' || character === '[') {
      depth++;
      at++;
    } else if (character === '}' || character === ']') {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else while (at < source.length && !',}] \t\r\n'.includes(source[at])) at++;
  } while (depth > 0);
  return at;
}

function stringEnd(source: string, start: number): number {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}
