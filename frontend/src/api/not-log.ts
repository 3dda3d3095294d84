/** What files begin with that are no logs, however they are called. */
const kinds: readonly (readonly [kind: string, start: readonly number[], offset?: number])[] = [
  ['a picture (PNG)', [0x89, 0x50, 0x4e, 0x47]],
  ['a picture (JPEG)', [0xff, 0xd8, 0xff]],
  ['a picture (GIF)', [0x47, 0x49, 0x46, 0x38]],
  ['a picture (WebP)', [0x57, 0x45, 0x42, 0x50], 8],
  ['a document (PDF)', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a film (MP4)', [0x66, 0x74, 0x79, 0x70], 4],
  ['a program (ELF)', [0x7f, 0x45, 0x4c, 0x46]],
  ['a program of Windows', [0x4d, 0x5a]],
  ['a registry hive', [0x72, 0x65, 0x67, 0x66]],
  ['a capture of packets', [0xd4, 0xc3, 0xb2, 0xa1]],
  ['a capture of packets', [0x0a, 0x0d, 0x0d, 0x0a]],
  ['a database (SQLite)', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
];

/** What a file is when it is plainly no log, such as “a picture (PNG)”; null when that cannot be told. */
export function notLog(head: Uint8Array): string | null {
  const found = kinds.find(([, start, offset = 0]) => start.every((byte, at) => head[offset + at] === byte));
  return found?.[0] ?? null;
}
