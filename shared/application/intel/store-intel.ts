import { tell } from '../happenings/tell.ts';
import type { Ports } from '../ports/ports.ts';
import { asItIsNow, describing } from './describe-entities.ts';
import type { StoredIntel, StoringJob } from './intel-repository.ts';
import { linksByText } from './links-by-text.ts';
import { namedByThreats } from './named-by-threats.ts';
import { uniteIntel } from './unite-intel.ts';

export type StoreIntelPorts = Pick<Ports, 'clock' | 'intel' | 'log' | 'reportConfig' | 'settings' | 'transaction'>;

/**
 * Puts what a job that has ended names among what all jobs name, in the place of what was there of it (resolved-intel
 * 1.3). Doing it again changes nothing. Null where there is no such job, or nothing was derived of it.
 */
export async function storeIntel(ports: StoreIntelPorts, jobId: number): Promise<StoredIntel | null> {
  return (await storeTogether(ports, [jobId]))[0] ?? null;
}

/** The same of several in one transaction, which writes what many name once; of those of which something was stored, what. */
async function storeTogether(
  { reportConfig, settings, transaction }: StoreIntelPorts,
  jobIds: readonly number[],
): Promise<readonly StoredIntel[]> {
  const describe = await describing(reportConfig);
  const { privateJobsFeedIntel } = await settings.current();
  return transaction(async (tx) => {
    const jobs = await tx.intel.holdEnded(jobIds);
    const held = jobs.map(({ id }) => id);
    const tasks = await tx.intel.derivedOf(held);
    const threats = await tx.intel.threatsOf(held);
    const storing: StoringJob[] = [];
    for (const { id, at, isPrivate } of jobs) {
      const derived = tasks.get(id);
      if (derived === undefined) continue;
      const intel = uniteIntel(derived);
      const isExact = derived.some(({ findings }) => findings !== null);
      const findings = isExact ? intel.findings : linksByText(intel.entities, await tx.findings.withEvents(id));
      const named = namedByThreats(intel.entities, threats.get(id) ?? []);
      const isLocal = isPrivate && !privateJobsFeedIntel;
      storing.push({ jobId: id, at, isLocal, intel: { ...intel, findings, threats: named } });
    }
    const stored = await tx.intel.replace(storing, describe);
    const awaited = await tx.rulePasses.awaited(storing.map(({ jobId }) => jobId));
    const told = storing.filter(({ jobId }) => awaited.has(jobId));
    await tell(
      tx,
      ...told.map(({ jobId, at }) => ({
        kind: 'entities_stored' as const,
        subject: { kind: 'job' as const, id: jobId },
        by: null,
        at,
      })),
    );
    return stored;
  });
}

/**
 * Stores jobs together; each by itself where that fails, so that one that cannot be stored keeps no other from its turn.
 * How many were stored. Rejects when it is to stop.
 */
export async function storeMany(
  ports: StoreIntelPorts,
  jobIds: readonly number[],
  stop?: AbortSignal,
): Promise<number> {
  try {
    return (await storeTogether(ports, jobIds)).length;
  } catch (error) {
    stop?.throwIfAborted();
    if (jobIds.length === 1) {
      ports.log.warn('the intel of a job could not be stored', { job_id: jobIds[0], error });
      return 0;
    }
  }
  let done = 0;
  for (const jobId of jobIds) done += await storeMany(ports, [jobId], stop);
  return done;
}

/** Jobs that are stored together at most. */
export const storedAtOnce = 100;
/** What is left after this waits for the next run. */
const mostMs = 240_000;

/**
 * Stores the intel of jobs that have none among that of all: those of before there was any, and those whose worker was
 * stopped on the way. Returns how many were stored.
 */
export async function storeWaitingIntel(ports: StoreIntelPorts): Promise<number> {
  const { clock, intel } = ports;
  const during = { ...ports, reportConfig: asItIsNow(ports.reportConfig) };
  const startedAt = clock.now().getTime();
  let done = 0;
  let under: number | null = null;
  while (clock.now().getTime() - startedAt < mostMs) {
    const jobs: readonly number[] = await intel.waiting({ under, limit: storedAtOnce });
    if (jobs.length === 0) break;
    done += await storeMany(during, jobs);
    under = jobs.at(-1)!;
  }
  return done;
}
