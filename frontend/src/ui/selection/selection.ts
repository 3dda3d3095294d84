/** Something that can be chosen, by its id. */
export type Row<R> = readonly [id: number, row: R];

/** What is chosen, by id and as it was when chosen, and the id that a range starts from. */
export interface Selection<R> {
  readonly rows: ReadonlyMap<number, R>;
  readonly anchor: number | null;
}

export const nothing: Selection<never> = { rows: new Map<number, never>(), anchor: null };

/** With one row more, or without it. */
export function toggled<R>({ rows }: Selection<R>, row: Row<R>): Selection<R> {
  return withAll({ rows, anchor: row[0] }, [row], !rows.has(row[0]));
}

/** With every row from the anchor to this one; without an anchor on the page, with this one alone. */
export function reaching<R>(selection: Selection<R>, row: Row<R>, page: readonly Row<R>[]): Selection<R> {
  const place = (id: number | null) => page.findIndex(([other]) => other === id);
  const [from, to] = [place(selection.anchor), place(row[0])];
  if (from < 0) return withAll({ ...selection, anchor: row[0] }, [row], true);
  return withAll(selection, page.slice(Math.min(from, to), Math.max(from, to) + 1), true);
}

/** With all of these, or without them. */
export function withAll<R>(selection: Selection<R>, some: readonly Row<R>[], isChosen: boolean): Selection<R> {
  const rows = new Map<number, R>(selection.rows);
  for (const [id, row] of some) {
    if (isChosen) rows.set(id, row);
    else rows.delete(id);
  }
  return { rows, anchor: selection.anchor };
}

/** With its rows as they are after a change. */
export function changedSelection<R>({ rows, anchor }: Selection<R>, change: (row: R) => R): Selection<R> {
  return { rows: new Map([...rows].map(([id, row]) => [id, change(row)] as const)), anchor };
}
