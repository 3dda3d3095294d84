/** IPv4 addresses, hexadecimal of some length that is no kind of machine, and numbers that are no part of a date or time. */
const numbers =
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|(?<!arch=)\b(?=[\da-f]*[a-f])[\da-f]{8,}\b|(?<![\d:/+-])\d{4,}(?![\d:/-])/g;
/** Words, and names of hosts, in the place of a value. */
const words = /(?<=[=/" '\t,])[a-z][a-z.]{4,}(?=["'/ \t,\n])(?!"\s*:)/g;
/** Of long numbers, which may be times, the first digits stay. */
const keptOfLong = 6;
const longNumber = 9;

/**
 * The text as another machine or day might have it: what varies in logs varies, the same within one round.
 * So a log made of many rounds does not repeat its values more than real ones do.
 * @param keepsLength changes nothing but digits, for formats that tell lengths.
 */
export function variation(text: string, round: number, keepsLength = false): string {
  const other = text.replace(numbers, (found) => {
    if (!found.includes('.')) return digits(found, round);
    return keepsLength ? found : address(found, round);
  });
  if (keepsLength) return other;
  return other.replace(words, (found) => {
    const value = hash(found, round);
    return value % 4 === 0 ? `${found}${(value >>> 8) % 1000}` : found;
  });
}

function address(found: string, round: number): string {
  const value = hash(found, round);
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
    .map((part) => 1 + (part % 254))
    .join('.');
}

function digits(found: string, round: number): string {
  const kept = found.length >= longNumber && /^\d+$/.test(found) ? keptOfLong : 1;
  let value = hash(found, round);
  let text = found.slice(0, kept);
  for (const digit of found.slice(kept)) {
    value = Math.imul(value ^ (value >>> 13), 0x5bd1e995) >>> 0;
    text += /[a-f]/.test(digit) ? 'abcdef'[value % 6] : String(value % 10);
  }
  return text;
}

function hash(text: string, round: number): number {
  let value = (round + 1) * 0x9e3779b1;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 0;
}
