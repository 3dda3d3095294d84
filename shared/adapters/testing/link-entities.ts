import type { Ports } from '@svc/application/ports/ports.ts';

/** Puts entities in a case, as those who work on it do. */
export function linkEntities(
  { transaction }: Pick<Ports, 'transaction'>,
  caseId: number,
  ids: readonly number[],
  link: { readonly by: string | null; readonly at: Date },
): Promise<number> {
  return transaction((tx) => tx.caseLinks.add(caseId, { kind: 'entity', ids, note: null, ...link }));
}
