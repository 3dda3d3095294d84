import type { InputOf, operations, OutputOf, SeenEntity as Shown } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { per } from './list-entity-jobs.ts';
import { toEntityRow } from './present-entity.ts';
import type { SeenEntity } from './seen-before.ts';

/** What of a job earlier jobs name, too, and what is new in it: for a responder the first question. */
export async function getSeenBefore(
  ports: Pick<Ports, 'jobViews' | 'seenBefore'>,
  actor: Actor,
  { id, which, page }: InputOf<typeof operations.getSeenBefore>,
): Promise<OutputOf<typeof operations.getSeenBefore>> {
  const job = await visibleJob(ports, actor, id);
  const counts = await ports.seenBefore.counts(actor, job);
  const sum = (name: 'total' | 'seen') => counts.reduce((all, one) => all + one[name], 0);
  const [total, seen] = [sum('total'), sum('seen')];
  const listed = which === 'seen' ? seen : total - seen;
  const pages = Math.max(1, Math.ceil(listed / per));
  const shown = Math.min(page, pages);
  const found = await ports.seenBefore.list(actor, job, { isSeen: which === 'seen', page: shown, per });
  return {
    total,
    seen,
    counts: counts.map(({ type, ...numbers }) => ({ entity_type: type, ...numbers })),
    list: { page: shown, total: listed, total_pages: pages, items: found.map(toSeen) },
  };
}

/** An entity with where else it was seen. */
export function toSeen({ entity, jobs, before }: SeenEntity): Shown {
  const {
    attributes: _attributes,
    watchlist: _watchlist,
    watched_by_me: _mine,
    job_count: _jobs,
    ...row
  } = toEntityRow(entity, new Set());
  return { ...row, jobs, jobs_before: before };
}
