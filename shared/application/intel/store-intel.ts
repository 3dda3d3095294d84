import { isTerminal } from '@svc/domain';
import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';
import { asItIsNow, describing } from './describe-entities.ts';
import type { StoredIntel } from './intel-repository.ts';
import { linksByText } from './links-by-text.ts';
import { namedByThreats } from './named-by-threats.ts';
import { uniteIntel } from './unite-intel.ts';

export type StoreIntelPorts = Pick<Ports, 'clock' | 'intel' | 'log' | 'reportConfig' | 'settings' | 'transaction'>;

/**
 * Puts what a job that has ended names among what all jobs name, in the place of what was there of it (resolved-intel
 * 1.3). Doing it again changes nothing. Null where there is no such job, or nothing was derived of it.
 */
export async function storeIntel(
  { reportConfig, settings, transaction }: StoreIntelPorts,
  jobId: number,
): Promise<StoredIntel | null> {
  const describe = await describing(reportConfig);
  const { privateJobsFeedIntel } = await settings.current();
  return transaction(async (tx) => {
    const [held] = await tx.jobs.hold([jobId]);
    const job = held && (await tx.jobs.get(jobId))?.job;
    if (!job || !isTerminal(job.status)) return null;
    const tasks = await tx.intel.derivedOf(jobId);
    if (tasks.length === 0) return null;
    const intel = uniteIntel(tasks);
    const isExact = tasks.some(({ findings: links }) => links !== null);
    const links = isExact ? intel.findings : linksByText(intel.entities, await tx.findings.withEvents(jobId));
    const threats = namedByThreats(intel.entities, await tx.intel.threatsOf(jobId));
    const isLocal = job.isPrivate && !privateJobsFeedIntel;
    const at = job.finishedAt ?? job.createdAt;
    const stored = await tx.intel.replace(jobId, { ...intel, findings: links, threats }, { at, describe, isLocal });
    if (await tx.rulePasses.isAwaited(jobId))
      await tell(tx, { kind: 'entities_stored', subject: { kind: 'job', id: jobId }, by: null, at });
    return stored;
  });
}

const batchSize = 100;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/**
 * Stores the intel of jobs that have none among that of all: those of before there was any, and those whose worker was
 * stopped on the way. One that cannot be stored keeps no other from its turn. Returns how many were stored.
 */
export async function storeWaitingIntel(ports: StoreIntelPorts): Promise<number> {
  const { clock, intel, log } = ports;
  const during = { ...ports, reportConfig: asItIsNow(ports.reportConfig) };
  const startedAt = clock.now().getTime();
  let done = 0;
  let under: number | null = null;
  while (clock.now().getTime() - startedAt < mostMs) {
    const jobs: readonly number[] = await intel.waiting({ under, limit: batchSize });
    for (const jobId of jobs) {
      if (clock.now().getTime() - startedAt >= mostMs) return done;
      try {
        if ((await storeIntel(during, jobId)) !== null) done += 1;
      } catch (error) {
        log.warn('the intel of a job could not be stored', { job_id: jobId, error });
      }
    }
    under = jobs.at(-1) ?? null;
    if (jobs.length < batchSize) break;
  }
  return done;
}
