import { hasRole, type Actor } from '@svc/domain';
import { and, eq, isNull, ne, not, or, sql, type SQL } from 'drizzle-orm';
import { caseCollaborators, cases, jobs, watchEvents } from './schema/index.ts';

/** The jobs that a viewer may see, as `canView` of the domain decides for one (resolved-platform 3.7). */
export function visibleTo(viewer: Actor): SQL | undefined {
  if (hasRole(viewer, 'admin')) return undefined;
  const shared = not(jobs.isPrivate);
  return viewer.kind === 'account' ? or(shared, eq(jobs.submittedBy, viewer.userId)) : shared;
}

/** The cases that a viewer may see, as `canViewCase` of the domain decides for one (service 2.4). */
export function caseVisibleTo(viewer: Actor): SQL | undefined {
  if (hasRole(viewer, 'admin')) return undefined;
  if (viewer.kind === 'anonymous' || !hasRole(viewer, 'member')) return sql`false`;
  const worksOn = sql`exists (select from ${caseCollaborators} where ${caseCollaborators.caseId} = ${cases.id} and ${caseCollaborators.accountId} = ${viewer.userId})`;
  return or(cases.isShared, eq(cases.ownerId, viewer.userId), worksOn);
}

/** Events that wait for a viewer of their job: those of tags are for members, as tags are. */
export function watchEventVisibleTo(viewer: Actor): SQL | undefined {
  const waiting = isNull(watchEvents.acknowledgedAt);
  return hasRole(viewer, 'member') ? waiting : and(waiting, ne(watchEvents.kind, 'tag'));
}
