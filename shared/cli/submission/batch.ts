import { type BatchVerdict, mostInBatch, operations, RequestError } from '@svc/contracts';
import type { Service } from '../service/service.ts';
import { ConnectionError } from '../service/service-error.ts';
import type { Outcome } from './outcome.ts';

/** The jobs of a call together. */
export interface Batch {
  /** Address of its page. */
  readonly url: string;
  /** Null where nobody waited for it. */
  readonly verdict: BatchVerdict | null;
}

/**
 * Makes a batch of the jobs of several files, or finds the one that there is of them; null for fewer than two. What
 * keeps it from being made is returned as a sentence: the files are submitted all the same.
 */
export async function batchOf(
  service: Service,
  outcomes: readonly Outcome[],
  { wait, signal }: { readonly wait: boolean; readonly signal: AbortSignal },
): Promise<Batch | string | null> {
  const ids = [...new Set(outcomes.flatMap(({ job_id: id }) => id ?? []))];
  if (ids.length < 2) return null;
  if (ids.length > mostInBatch) return `there is no verdict of more than ${mostInBatch} files together`;
  try {
    const made = await service.call(operations.createBatch, { job_ids: ids }, { signal });
    const verdict = wait ? await service.call(operations.getBatch, { id: made.batch_id }, { signal }) : null;
    return { url: `${service.url}${made.batch_url}`, verdict };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ConnectionError)) throw error;
    return `no verdict of all files together: ${error.message}`;
  }
}
