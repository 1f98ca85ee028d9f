/** What a map holds, made where it is not there; what fails is tried again the next time. */
export function kept<T>(map: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = map.get(name);
  if (found) return found;
  const made = make();
  map.set(name, made);
  made.catch(() => map.delete(name));
  return made;
}
