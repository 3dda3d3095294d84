const escape = /%[0-9a-f]{2}|%u[0-9a-f]{4}/i;
const escapes = /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}/gi;
const PERCENT = 0x25;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text with its percent-encoding decoded once; undefined where it has none. Never throws. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%') || !escape.test(text)) return undefined;
  return text.replace(escapes, (run) => {
    if (run[1] === 'u' || run[1] === 'U') return String.fromCharCode(Number.parseInt(run.slice(2), 16));
    return decoder.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)));
  });
}

/** The same of bytes at [start, end), as UTF-8; makes no text of them unless they are more than plain ASCII. */
export function percentDecodedBytes(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const decoded = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end; at++) {
    let byte = bytes[at]!;
    if (byte === PERCENT) {
      const high = hexDigit(bytes[at + 1]);
      const low = hexDigit(bytes[at + 2]);
      if (at + 2 < end && high >= 0 && low >= 0) {
        byte = (high << 4) | low;
        at += 2;
      } else if ((bytes[at + 1]! | 0x20) === 0x75) return asText(bytes, start, end);
    } else if (byte >= 0x80) return asText(bytes, start, end);
    decoded[length++] = byte;
  }
  return length === end - start ? undefined : decoded.subarray(0, length);
}

function asText(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const text = percentDecoded(decoder.decode(bytes.subarray(start, end)));
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
