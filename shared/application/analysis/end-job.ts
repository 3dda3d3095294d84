import { jobErrorTexts, type JobErrorCode, type JobStatus } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { moveJob } from './move-job.ts';

const cancelled: ReadonlySet<JobErrorCode> = new Set(['cancelled_by_user', 'cancelled_worker_lost']);

/**
 * Ends a job for a reason other than its results; false when it is not in the expected status any
 * more. `message` is for administrators. @default the public sentence of the reason
 */
export async function endJob(
  ports: Pick<Ports, 'clock' | 'transaction'>,
  id: number,
  end: { from: JobStatus; code: JobErrorCode; message?: string; claim?: string },
): Promise<boolean> {
  const { from, code, claim } = end;
  const to: JobStatus = cancelled.has(code) ? 'cancelled' : 'failed';
  const error = { code, message: end.message ?? jobErrorTexts[code] };
  return moveJob(ports, id, { from, to, at: ports.clock.now(), error, ...(claim === undefined ? {} : { claim }) });
}
