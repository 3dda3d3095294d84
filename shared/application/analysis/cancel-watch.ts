import type { Ports } from '../ports/ports.ts';

/** Reason of an abort that a user asked for. */
export class CancelRequested extends Error {
  override readonly name = 'CancelRequested';
}

const pollMs = 2000;

/** A signal that also aborts, with `CancelRequested`, once the job carries a cancel mark. Must be closed. */
export interface CancelWatch {
  readonly signal: AbortSignal;
  close(): void;
}

/** Watches a running job for its cancel mark (resolved-platform 3.3, 3) and passes on the worker's own signal. */
export function watchCancel(
  { jobs, log }: Pick<Ports, 'jobs' | 'log'>,
  jobId: number,
  worker: AbortSignal,
): CancelWatch {
  const abort = new AbortController();
  const passOn = (): void => abort.abort(worker.reason);
  const look = async (): Promise<void> => {
    const record = await jobs.get(jobId);
    if (!record || record.job.cancelRequestedAt) abort.abort(new CancelRequested('cancelled'));
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn('cannot look for cancel marks', { error }));
  }, pollMs);
  if (worker.aborted) passOn();
  else worker.addEventListener('abort', passOn, { once: true });
  return {
    signal: abort.signal,
    close: () => {
      clearInterval(timer);
      worker.removeEventListener('abort', passOn);
    },
  };
}
