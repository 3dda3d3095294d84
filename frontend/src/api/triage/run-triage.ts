import type { LocalReport, TriageMessage, TriageProgress, TriageRequest } from './messages.ts';

/** An analysis that ended without a report, in the words of the service. */
export class TriageFailure extends Error {
  override readonly name = 'TriageFailure';
}

export interface TriageWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TriageProgress) => void;
}

/** Analyses a log in a worker of its own, which ends with it; a cancel ends it at once. */
export function runTriage(request: TriageRequest, { signal, onProgress }: TriageWatch): Promise<LocalReport> {
  const worker = new Worker(new URL('./triage-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<LocalReport>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    worker.addEventListener('message', ({ data }: MessageEvent<TriageMessage>) => {
      if (data.at === 'reading') onProgress(data.progress);
      else if (data.at === 'done') resolve(data.report);
      else reject(new TriageFailure(data.message));
    });
    worker.addEventListener('error', ({ message }) =>
      reject(new TriageFailure(message || 'The analysis could not be started. Reload the page.')),
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
