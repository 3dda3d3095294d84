/** Bits per character of the text by how often each occurs in it. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const letter of text) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
    length++;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}
