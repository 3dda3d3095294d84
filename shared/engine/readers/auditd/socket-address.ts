/** An internet address as the audit system writes it: the bytes of the structure in hexadecimal. */
export interface SocketAddress {
  readonly ip: string;
  readonly port: number;
}

/** Decodes `saddr`; undefined for other families, and where bytes are missing. */
export function socketAddress(saddr: string): SocketAddress | undefined {
  const byte = (at: number): number => Number.parseInt(saddr.slice(2 * at, 2 * at + 2), 16);
  const length = saddr.length >> 1;
  const family = length < 8 ? 0 : byte(0) | (byte(1) << 8);
  const port = (byte(2) << 8) | byte(3);
  const bytes = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => byte(from + i));
  if (family === 2) return { ip: bytes(4, 8).join('.'), port };
  if (family === 10 && length >= 24) return { ip: ipv6(bytes(8, 24)), port };
  return undefined;
}

/** The longest run of zeros is left out, and an IPv4 address in it is written as one (RFC 5952). */
function ipv6(bytes: readonly number[]): string {
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return `::ffff:${bytes.slice(12).join('.')}`;
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  let [start, length] = [0, 1];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (groups[to] === '0') to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
