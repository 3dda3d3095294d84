import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { AppError, watchLimits, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';
import { visibleJob } from '../jobs/visible-job.ts';

/** Begins to watch a visible job, or ends it; throws `watch_limit` beyond 200 (resolved-platform 13.3). */
export async function watchJob(
  { clock, jobViews, watches }: Pick<Ports, 'clock' | 'jobViews' | 'watches'>,
  actor: Actor,
  { id }: InputOf<typeof operations.watchJob>,
): Promise<OutputOf<typeof operations.watchJob>> {
  const { userId } = signedIn(actor);
  await visibleJob({ jobViews }, actor, id);
  if (await watches.end(userId, id)) return { watching: false };
  if (await watches.begin(userId, id, clock.now())) return { watching: true };
  throw new AppError(
    'watch_limit',
    `You watch ${watchLimits.perPerson} jobs, which is the most; stop watching one of them first`,
  );
}
