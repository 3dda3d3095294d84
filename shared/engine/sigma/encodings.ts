const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of bytes, with padding. */
export function base64(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const left = bytes.length - i;
    out += alphabet[group >> 18]! + alphabet[(group >> 12) & 63]!;
    out += left > 1 ? alphabet[(group >> 6) & 63]! : '=';
    out += left > 2 ? alphabet[group & 63]! : '=';
  }
  return out;
}

/** The three texts that the bytes take within a longer Base64 text, by their place in it (1.4). */
export function base64Offsets(bytes: Uint8Array): string[] {
  return [0, 1, 2].map((prefix) => {
    const padded = new Uint8Array(prefix + bytes.length);
    padded.set(bytes, prefix);
    const text = base64(padded);
    const cutStart = [0, 2, 3][prefix]!;
    const cutEnd = [0, 3, 2][(bytes.length + prefix) % 3]!;
    return text.slice(cutStart, text.length - cutEnd);
  });
}

/** UTF-16 bytes of a text: `wide` and `utf16le`, `utf16be`, or `utf16` with a byte order mark. */
export function wideText(text: string, encoding: string): Uint8Array {
  const bytes = encoding === 'utf16' ? [0xff, 0xfe] : [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const [low, high] = [unit & 0xff, unit >> 8];
    if (encoding === 'utf16be') bytes.push(high, low);
    else bytes.push(low, high);
  }
  return new Uint8Array(bytes);
}
