/** Fields of a form by name; one that is repeated is a list of its values. */
export function gathered<T>(entries: Iterable<readonly [string, T]>): Record<string, T | T[]> {
  const byName = new Map<string, T[]>();
  for (const [name, value] of entries) byName.set(name, [...(byName.get(name) ?? []), value]);
  // No plain object while gathering: a client may name a field `__proto__`.
  return Object.fromEntries([...byName].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}
