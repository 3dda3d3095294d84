import type { ListCursor } from '../jobs/job-lists.ts';

/** A place in a list of entities as addresses carry it; texts are in bytes of their alphabet. Null where there is none. */
export function writtenCursor(cursor: ListCursor | null): string | null {
  if (cursor === null) return null;
  const key = typeof cursor.key === 'number' ? String(cursor.key) : `t${Buffer.from(cursor.key).toString('base64url')}`;
  return `${cursor.side}-${key}-${cursor.id}`;
}

/** Null for what no cursor is. */
export function readCursor(text: string | undefined): ListCursor | null {
  const [, side, key = '', id] = /^(older|newer)-([\w-]+)-(\d+)$/.exec(text ?? '') ?? [];
  if (side === undefined) return null;
  return {
    side: side === 'newer' ? 'newer' : 'older',
    key: key.startsWith('t') ? Buffer.from(key.slice(1), 'base64url').toString() : Number(key) || 0,
    id: Number(id),
  };
}
