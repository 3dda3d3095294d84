const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const dotted = `${octet}(?:\\.${octet}){3}`;
const version4 = new RegExp(`(?<![\\d.])${dotted}(?![\\d.]*\\d)`, 'g');
/** What may be an address of version 6, looked at closely after. */
const candidate6 = /(?<![\w:.])[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*/gi;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const whole4 = new RegExp(`^${dotted}$`);

/**
 * Every IP address that a text names, in the order met: version 4 as written, version 6 in its canonical
 * compressed form, an IPv4-mapped one as version 4 (resolved-intel 1.1).
 */
export function addressesIn(text: string): string[] {
  const found = new Set<string>();
  let rest = text;
  if (text.includes(':')) {
    rest = text.replace(candidate6, (candidate) => {
      const address = canonical6(candidate.replace(/[.:]$/, (end) => (candidate.endsWith('::') ? end : '')));
      if (address === null) return candidate;
      found.add(address);
      return ' ';
    });
  }
  if (rest.includes('.')) for (const [address] of rest.matchAll(version4)) found.add(address);
  return [...found];
}

/** RFC 5952 form; null when it is no address. */
export function canonical6(text: string): string | null {
  const groups = groupsOf(text.toLowerCase());
  if (groups === null || groups.every((group) => group === 0)) return null;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high, low] = [groups[6]!, groups[7]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [start, length] = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** The eight numbers of an address of version 6; null when it is none. */
export function groupsOf(text: string): number[] | null {
  const own = mapped.exec(text);
  if (own !== null && !whole4.test(own[1]!)) return null;
  const halves = withoutDots(text).split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':'))) as [string[], string[] | undefined];
  const given = [...head, ...(tail ?? [])];
  if (!given.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  const missing = 8 - given.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])].map((group) => parseInt(group, 16));
}

/** The last 32 bits may be written as version 4. */
function withoutDots(text: string): string {
  const at = text.lastIndexOf(':') + 1;
  const last = text.slice(at);
  if (!whole4.test(last)) return text;
  const [a, b, c, d] = last.split('.').map(Number) as [number, number, number, number];
  return `${text.slice(0, at)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function longestZeros(groups: readonly number[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  let start = -1;
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = -1;
    else if (start < 0) start = index;
    if (start >= 0 && index - start + 1 > best[1]) best = [start, index - start + 1];
  }
  return best;
}
