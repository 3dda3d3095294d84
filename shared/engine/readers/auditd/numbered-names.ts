/**
 * Names by number, from a list in which a number says which one the names after it begin with:
 * `0 read write 5 fstat` has read at 0, write at 1 and fstat at 5.
 */
export function numberedNames(list: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let number = 0;
  for (const word of list.trim().split(/\s+/)) {
    if (/^\d+$/.test(word)) number = Number(word);
    else names.set(String(number++), word);
  }
  return names;
}
