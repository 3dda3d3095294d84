import type { OutputOf, operations } from '@svc/contracts';
import { count, counted } from '../../ui/format.ts';

type Told = Pick<OutputOf<typeof operations.getRule>, 'recent' | 'recent_jobs'>;

/** What a rule cost of late, in a sentence. */
export function costOfRule({ recent, recent_jobs: over }: Told): string {
  const { measured_jobs: jobs, measured_records: records } = over;
  if (jobs === 0) return 'What it costs was not measured in a job that you may see yet.';
  const where = `of ${counted(jobs, 'measured job')}`;
  if (recent.tries === 0) return `It was among the hundred that took most in none ${where}, or was never tried there.`;
  const share = recent.share < 0.001 ? 'less than 0.1' : (100 * recent.share).toFixed(1);
  return (
    `Evaluating it took ${millis(recent.ms_per_million)} per million records ${where}, ${share} % of what all rules took. ` +
    `It was tried on about ${count(Math.round(recent.tries))} of their ${counted(records, 'record')}.`
  );
}

/** Milliseconds as few digits tell them. */
export function millis(ms: number): string {
  if (ms < 0.1) return 'less than 0.1 ms';
  return `${ms < 10 ? ms.toFixed(1) : count(Math.round(ms))} ms`;
}
