import type { AddressRange } from './conditions.ts';

const bits = 128;
/** Before the four bytes of an IPv4 address that is written as IPv6 (RFC 4291, 2.5.5.2). */
const mapped = 0xffffn << 32n;

/** An address of either kind as a number of 128 bits; null for what is none. */
function addressNumber(text: string): bigint | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const parts = text.split('.').map(Number);
    return parts.every((part) => part < 256)
      ? parts.reduce((sum, part) => (sum << 8n) | BigInt(part), mapped >> 32n)
      : null;
  }
  const url = `http://[${text}]/`;
  if (!text.includes(':') || !URL.canParse(url)) return null;
  // As URLs write it: the longest run of zeros left out, and no IPv4 part.
  const [left = '', right] = new URL(url).hostname.slice(1, -1).split('::');
  const [head, tail] = [groups(left), groups(right ?? '')];
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  );
}

const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));

const hex = (address: bigint): string => address.toString(16).padStart(bits / 4, '0');

/** An address as the 16 bytes of IPv6, in hexadecimal; null for what is none. */
export function addressBytes(text: string): string | null {
  const address = addressNumber(text);
  return address === null ? null : hex(address);
}

/** A network such as 10.0.0.0/8 or fe80::/10, or one address; host bits may be set. Null for what is none. */
export function networkRange(text: string): AddressRange | null {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const number = addressNumber(address);
  const longest = address.includes(':') ? bits : 32;
  const prefix = length === undefined ? longest : Number(length);
  if (number === null || prefix > longest) return null;
  const hostBits = BigInt(longest - prefix);
  const first = (number >> hostBits) << hostBits;
  return { first: hex(first), last: hex(first | ((1n << hostBits) - 1n)) };
}
