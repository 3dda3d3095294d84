/**
 * Whom an address counts as: itself, or the /64 network of an IPv6 one, since whoever has one of its addresses has
 * them all. What is no address is left as it is.
 */
export function networkOf(address: string): string {
  const url = `http://[${address}]/`;
  if (!URL.canParse(url)) return address;
  const groups = groupsOf(new URL(url).hostname.slice(1, -1));
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an address as URLs write it. */
function groupsOf(address: string): string[] {
  const [first = [], last] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  return last ? [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last] : first;
}

function dotted(groups: readonly string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');
}
