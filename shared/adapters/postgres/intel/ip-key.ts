/** An address as its 16 bytes in IPv6, in hexadecimal digits; null for what is none. */
export function ipKey(address: string): string | null {
  const isV4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(address);
  const url = `http://[${isV4 ? `::ffff:${address}` : address}]/`;
  if (!URL.canParse(url)) return null;
  const halves = new URL(url).hostname.slice(1, -1).split('::');
  const [head = [], tail] = halves.map((half) => half.split(':').filter((group) => group !== ''));
  const filled = tail ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head;
  return filled.map((group) => group.padStart(4, '0')).join('');
}
