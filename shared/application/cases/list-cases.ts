import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { caseStatuses, type Actor, type CaseStatus } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

const byDefault = ['open', 'monitoring'] as const;

/** Visible cases, newest updated first; without closed ones unless they are asked for. */
export async function listCases(
  { cases }: Pick<Ports, 'cases'>,
  actor: Actor,
  { status, limit }: InputOf<typeof operations.listCases>,
): Promise<OutputOf<typeof operations.listCases>> {
  const found = await cases.list(actor, { statuses: statusesAsked(status), limit });
  return found.map(({ id, name, status: state, isShared }) => ({ id, name, status: state, is_shared: isShared }));
}

/** Without a word, those that are not closed. */
export function statusesAsked(status: CaseStatus | 'all' | undefined): readonly CaseStatus[] {
  if (status === undefined) return byDefault;
  return status === 'all' ? caseStatuses : [status];
}
