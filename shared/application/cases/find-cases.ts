import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { caseStatuses, type Actor } from '@svc/domain';
import { readCursor, writtenCursor } from '../intel/entity-cursor.ts';
import type { Ports } from '../ports/ports.ts';
import { statusesAsked } from './list-cases.ts';

const per = 50;

/** Visible cases, sorted over all of them (resolved-intel 16.2). */
export async function findCases(
  { caseLists }: Pick<Ports, 'caseLists'>,
  actor: Actor,
  { status, q, sort, page: wanted, cursor }: InputOf<typeof operations.findCases>,
): Promise<OutputOf<typeof operations.findCases>> {
  const text = q.trim();
  const statuses = statusesAsked(status === '' ? undefined : status);
  const counts = await caseLists.counts(actor, text);
  const total = caseStatuses.reduce((sum, one) => sum + (statuses.includes(one) ? counts[one] : 0), 0);
  const pages = Math.max(1, Math.ceil(total / per));
  // Every change of a case or its links moves `updated_at`, so both orders are one.
  const by = sort === 'activity' ? 'updated' : sort;
  const place = { page: cursor === undefined ? Math.min(wanted, pages) : wanted, per, cursor: readCursor(cursor) };
  const { cases, page, older, newer } = await caseLists.page(actor, { statuses, text }, place, by);
  return {
    items: cases.map((one) => ({
      id: one.id,
      name: one.name,
      status: one.status,
      severity: one.severity,
      derived_severity: one.worst,
      is_shared: one.isShared,
      owner: one.owner,
      entity_count: one.entities,
      job_count: one.jobs,
      total_findings: one.matches,
      created_at: one.createdAt.toISOString(),
      updated_at: one.updatedAt.toISOString(),
      last_activity: one.updatedAt.toISOString(),
      closed_at: one.closedAt?.toISOString() ?? null,
    })),
    total,
    page,
    total_pages: pages,
    older: writtenCursor(older),
    newer: writtenCursor(newer),
    status_counts: { ...counts },
  };
}
