import { hasRole, type Actor } from '@svc/domain';
import { eq, not, or, sql, type SQL } from 'drizzle-orm';
import { cases, jobs } from './schema/index.ts';

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
  return or(cases.isShared, eq(cases.ownerId, viewer.userId));
}
