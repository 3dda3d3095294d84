import { hasRole, isTerminal, jobStatuses, type Actor, type JobStatus, type SearchTrait } from '@svc/domain';
import { and, eq, exists, gt, inArray, isNull, lte, not, notExists, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../database.ts';
import { hasGap, jobs, jobWatches, taskResults } from '../schema/index.ts';
import { any, nothing, type Asking, type Manner } from './asking.ts';
import { flag, named } from './facets.ts';

/** What a word of `is:` says of a job; `negated`, what all others are. */
export function traitCondition({ db, viewer, manner }: Asking, trait: SearchTrait, negated: boolean): SQL {
  const either = (yes: Parameters<typeof flag>[0], no: typeof yes, column?: SQL): SQL =>
    manner === 'columns' && column ? (negated ? not(column) : column) : any(flag(negated ? no : yes));
  switch (trait) {
    case 'private':
    case 'public':
      // Of private jobs, a viewer sees only some.
      if (manner === 'columns') return (trait === 'private') === negated ? not(jobs.isPrivate) : sql`${jobs.isPrivate}`;
      return (trait === 'private') === negated ? any(flag('public')) : isPrivateOf(viewer);
    case 'mine': {
      if (viewer.kind === 'anonymous') return negated ? sql`true` : nothing;
      return negated ? sql`${jobs.submittedBy} is distinct from ${viewer.userId}` : eq(jobs.submittedBy, viewer.userId);
    }
    case 'anonymous':
      return either('anonymous', 'submitted', isNull(jobs.submittedBy));
    case 'watched': {
      const watched = isWatched(db, viewer);
      return negated ? not(watched) : watched;
    }
    case 'hits':
      return either('hits', 'clean', gt(jobs.totalFindings, 0));
    case 'clean':
      return either('clean', 'hits', lte(jobs.totalFindings, 0));
    case 'gaps':
      return negated ? notExists(gapsOfJob(db)) : exists(gapsOfJob(db));
    case 'error':
      return either('error', 'sound');
    case 'running':
    case 'done':
      return hasStatus(
        manner,
        jobStatuses.filter((status) => isTerminal(status) === ((trait === 'done') !== negated)),
      );
  }
}

/** Of private jobs, a viewer sees no others. */
function isPrivateOf(viewer: Actor): SQL {
  if (hasRole(viewer, 'admin')) return any(flag('private'));
  return viewer.kind === 'anonymous' ? nothing : any(named('privateOf', viewer.userId));
}

function isWatched(db: Database, viewer: Actor): SQL {
  if (viewer.kind === 'anonymous') return nothing;
  const watched = db.select({ id: jobWatches.jobId }).from(jobWatches).where(eq(jobWatches.userId, viewer.userId));
  return inArray(jobs.id, watched);
}

/** Tasks that read a damaged log, or one without a single event: what was not found in it may be there all the same. */
function gapsOfJob(db: Database) {
  const others = alias(taskResults, 'others');
  const read = db
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.jobId, taskResults.jobId), gt(others.events, 0)));
  return db
    .select({ id: taskResults.jobId })
    .from(taskResults)
    .where(
      and(
        eq(taskResults.jobId, jobs.id),
        hasGap(taskResults),
        or(sql`jsonb_array_length(${taskResults.warnings}) > 0`, notExists(read)),
      ),
    );
}

/** Has one of these; none of no statuses. */
export function hasStatus(manner: Manner, statuses: readonly JobStatus[]): SQL {
  if (manner === 'columns') return inArray(jobs.status, [...statuses]);
  const live = statuses.filter((status) => !isTerminal(status));
  const over = statuses.filter(isTerminal).map((status) => named('status', status));
  if (live.length === 0) return any(...over);
  return or(inArray(jobs.status, live), over.length > 0 ? any(...over) : undefined) ?? nothing;
}
