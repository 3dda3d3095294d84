/** A network as 16 bytes (IPv4 mapped into IPv6) and a prefix length of those. */
export interface Network {
  readonly bytes: Uint8Array;
  readonly prefix: number;
  readonly family: 4 | 6;
  /** Whether the text had bits set behind the prefix. */
  readonly hostBits: boolean;
}

/** Parses `address/prefix`; null when it is no network. */
export function cidrMask(text: string): Network | null {
  const slash = text.lastIndexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const bytes = addressBytes(address);
  if (bytes === null) return null;
  const four = !address.includes(':');
  const bits = slash < 0 ? (four ? 32 : 128) : Number(text.slice(slash + 1));
  if (!/^\d{1,3}$/.test(slash < 0 ? '0' : text.slice(slash + 1)) || bits > (four ? 32 : 128)) return null;
  const prefix = bits + (four ? 96 : 0);
  const family = four ? 4 : 6;
  return { bytes, prefix, family, hostBits: bytes.some((byte, at) => (byte & ~maskByte(prefix, at) & 0xff) !== 0) };
}

/** Whether a value is an address within the network; brackets, zone and port are removed (1.4). */
export function inNetwork(network: Network, value: string): boolean {
  const address = bare(value);
  const bytes = addressBytes(address);
  // An IPv4 address is no part of any IPv6 network; one mapped into IPv6 is part of networks of both.
  if (bytes === null || (network.family === 6 && !address.includes(':'))) return false;
  return bytes.every((byte, at) => {
    const mask = maskByte(network.prefix, at);
    return (byte & mask) === (network.bytes[at]! & mask);
  });
}

function maskByte(prefix: number, at: number): number {
  const bits = Math.min(8, Math.max(0, prefix - at * 8));
  return (0xff00 >> bits) & 0xff;
}

function bare(value: string): string {
  const text = value.trim();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  const zoneless = bracketed.replace(/%.*$/, '');
  return /^[\d.]+:\d+$/.test(zoneless) ? zoneless.slice(0, zoneless.indexOf(':')) : zoneless;
}

/** 16 bytes of an IPv4 or IPv6 address; null when it is neither. */
function addressBytes(text: string): Uint8Array | null {
  if (text.length > 45) return null;
  if (!text.includes(':')) {
    const four = ipv4(text);
    return four && new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...four]);
  }
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted ? ipv4(dotted[2]!) : null;
  if (dotted && !tail) return null;
  const groups = tail
    ? `${dotted![1]}${((tail[0]! << 8) | tail[1]!).toString(16)}:${((tail[2]! << 8) | tail[3]!).toString(16)}`
    : text;
  const halves = groups.split('::');
  if (halves.length > 2) return null;
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - right.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return new Uint8Array(
    all.flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 0xff];
    }),
  );
}

function ipv4(text: string): number[] | null {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return valid ? parts.map(Number) : null;
}
