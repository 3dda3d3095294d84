const escape = /%[0-9a-f]{2}|%u[0-9a-f]{4}/i;
const escapes = /(?:%[0-9a-f]{2})+|%u[0-9a-f]{4}/gi;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text with its percent-encoding decoded once; undefined where it has none. Never throws. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%') || !escape.test(text)) return undefined;
  return text.replace(escapes, (run) => {
    if (run[1] === 'u' || run[1] === 'U') return String.fromCharCode(Number.parseInt(run.slice(2), 16));
    return decoder.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)));
  });
}
