import type { ListCursor } from './job-lists.ts';

/** A place in a list that is sorted by a number, as addresses carry it. Null where there is none. */
export function writtenListCursor(cursor: ListCursor | null): string | null {
  return cursor && `${cursor.side}-${cursor.key}-${cursor.id}`;
}

export function readListCursor(text: string | undefined): ListCursor | null {
  if (text === undefined) return null;
  const [side, key, id] = text.split('-');
  return { side: side === 'newer' ? 'newer' : 'older', key: Number(key), id: Number(id) };
}
