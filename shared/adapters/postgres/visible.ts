import { hasRole, type Actor } from '@svc/domain';
import { eq, not, or, type SQL } from 'drizzle-orm';
import { jobs } from './schema/index.ts';

/** The jobs that a viewer may see, as `canView` of the domain decides for one (resolved-platform 3.7). */
export function visibleTo(viewer: Actor): SQL | undefined {
  if (hasRole(viewer, 'admin')) return undefined;
  const shared = not(jobs.isPrivate);
  return viewer.kind === 'account' ? or(shared, eq(jobs.submittedBy, viewer.userId)) : shared;
}
