import type { InputOf, operations, OutputOf, TestedJob } from '@svc/contracts';
import { type Actor, AppError, fallbackName } from '@svc/domain';
import type { JobRecord } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { RulePackRefused } from '../ports/rule-compiler.ts';
import { toTestedLog } from '../report/shown/tested-log.ts';
import { LogNotRead, LogTooLarge, type RuleTest, type TestedLog } from '../ports/rule-tester.ts';

type TestPorts = Pick<Ports, 'findings' | 'jobViews' | 'objects' | 'ruleTester'>;

/** Larger logs, by their unpacked size, are not read: their kept events are tested instead. */
const largestLog = 64 * 1024 * 1024;
const tooLarge = 'The log is larger than 64 MiB';
/** Matches of each rule that are shown of a job, and of all jobs. */
const [samplesOfJob, samplesInAll] = [5, 60];
/** Events kept of one job; most of them several times, once for each rule that they matched. */
const mostEvents = 20_000;

/**
 * Compiles rules and tells what they find in the newest jobs that the actor may see, within the time of one
 * test. Rules that do not compile are told of and are no error; throws `pack_refused` for those that take too
 * much, and `busy`.
 */
export async function testRule(
  ports: TestPorts,
  actor: Actor,
  { source, against, jobs: count }: InputOf<typeof operations.testRule>,
): Promise<OutputOf<typeof operations.testRule>> {
  const test = await begin(ports, source);
  try {
    const { rules, rejected, warnings } = test.compiled;
    const records = rules.length === 0 ? [] : await ports.jobViews.reported(actor, count);
    const jobs: TestedJob[] = [];
    for (const record of records) {
      const tested = await testJob(ports, test, record, against, samplesInAll - shownOf(jobs));
      if (tested === null) break;
      jobs.push(tested);
    }
    const heads = rules.map(({ id, isCorrelation, ...head }) => ({ rule_id: id, ...head, correlation: isCorrelation }));
    const complete = jobs.length === records.length;
    return { rules: heads, rejected: rejected.map(placed), warnings: warnings.map(placed), jobs, complete };
  } finally {
    await test.end();
  }
}

async function begin({ ruleTester }: TestPorts, source: string): Promise<RuleTest> {
  try {
    return await ruleTester.begin(source);
  } catch (error) {
    if (!(error instanceof RulePackRefused)) throw error;
    throw new AppError('pack_refused', error.message, { cause: error });
  }
}

/** Null when the time of the test is over. */
async function testJob(
  ports: TestPorts,
  test: RuleTest,
  { job, file }: JobRecord,
  against: 'logs' | 'events',
  room: number,
): Promise<TestedJob | null> {
  const { logType, createdAt, submittedName } = job;
  const head = {
    job_id: job.id,
    filename: submittedName ?? fallbackName(file.sha256),
    log_type: logType,
    job_created_at: createdAt.toISOString(),
  };
  const samples = Math.max(0, Math.min(samplesOfJob, room));
  const held = async (log: TestedLog, checked: 'log' | 'events', reason: string | null): Promise<TestedJob | null> => {
    try {
      const tried = await test.run(log, samples);
      return tried && { ...head, checked, reason, ...toTestedLog(tried, checked) };
    } catch (error) {
      if (!(error instanceof LogNotRead)) throw error;
      return { ...head, checked: 'none', reason: error.message, records: 0, rules: [], events: [] };
    }
  };
  let reason = against === 'events' ? null : await whyNotWhole(ports, file);
  if (against === 'logs' && reason === null) {
    const copy = await ports.objects.localCopy(file.storageKey);
    try {
      return await held({ path: copy.path, mostBytes: largestLog, logType }, 'log', null);
    } catch (error) {
      if (!(error instanceof LogTooLarge)) throw error;
      reason = tooLarge;
    } finally {
      await copy.release();
    }
  }
  const events = await ports.findings.sampleEvents(job.id, mostEvents);
  return held({ events, logType }, 'events', reason);
}

async function whyNotWhole(
  { objects }: Pick<Ports, 'objects'>,
  { sizeBytes, storageKey }: JobRecord['file'],
): Promise<string | null> {
  if (sizeBytes > largestLog) return tooLarge;
  return (await objects.exists(storageKey)) ? null : 'The log is not kept any more';
}

function shownOf(jobs: readonly TestedJob[]): number {
  return jobs.reduce((sum, { events }) => sum + events.length, 0);
}

function placed({ line, message }: { readonly line: number; readonly message: string }) {
  return { line, message };
}
