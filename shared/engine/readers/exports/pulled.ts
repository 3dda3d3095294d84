import type { NextPieces } from '../compressed/forward-source.ts';
import type { ByteSource } from '../reader.ts';

/**
 * What a reader that pushes makes of a source, to be pulled: it waits, wherever it reads on, until what it has made is
 * asked for. Rejects as the reader does.
 * @param read gives all that it makes to `put`.
 */
export function pulled(
  source: ByteSource,
  read: (source: ByteSource, put: (piece: Uint8Array) => void) => Promise<unknown>,
): NextPieces {
  let pieces: Uint8Array[] = [];
  let isOver = false;
  /** Ends the wait of whoever pulls, and of the reader. */
  let give: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  const waiting: ByteSource = {
    size: source.size,
    read: async (offset, into) => {
      if (pieces.length > 0) {
        const asked = new Promise<void>((resolve) => (goOn = resolve));
        give?.();
        await asked;
      }
      return source.read(offset, into);
    },
  };
  let reading: Promise<void> | undefined;
  const untilOver = async (): Promise<void> => {
    await read(waiting, (piece) => pieces.push(piece));
    isOver = true;
  };
  return async () => {
    if (isOver) return undefined;
    const given = new Promise<void>((resolve) => (give = resolve));
    reading ??= untilOver();
    goOn?.();
    await Promise.race([given, reading]);
    const made = pieces;
    pieces = [];
    return made;
  };
}
