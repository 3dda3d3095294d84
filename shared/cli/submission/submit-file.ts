import { operations, RequestError, type SubmittedJob } from '@svc/contracts';
import { persist } from '../service/persist.ts';
import type { CallOptions, Service } from '../service/service.ts';
import { Sender, type SendWatch, type Submission } from './send-file.ts';

export interface SubmitWatch extends SendWatch {
  /** Told before each pause after a failure. */
  waiting(error: Error, ms: number): void;
}

/** `wasKnown` when an earlier call had submitted the file. */
export type AcceptedSubmission = SubmittedJob & { readonly wasKnown: boolean };

/**
 * Submits a file once, however often the connection breaks: the service is asked for the receipt of
 * its key before anything is sent, again after each failure. Throws as `Service` does, and a `FileError`.
 */
export async function submitFile(
  service: Service,
  submission: Submission,
  watch: SubmitWatch,
): Promise<AcceptedSubmission> {
  const sender = new Sender(service, submission, watch);
  return persist(async (attempt) => {
    // Nobody can have used the key of a forced analysis before.
    const asks = attempt > 0 || !submission.force;
    const known = asks ? await receiptOf(service, submission.key, watch) : null;
    return known ? { ...known, wasKnown: attempt === 0 } : { ...(await sender.send()), wasKnown: false };
  }, watch);
}

/** Null when nothing has been submitted with this key. */
async function receiptOf(service: Service, key: string, { signal }: CallOptions): Promise<SubmittedJob | null> {
  try {
    return await service.call(operations.getSubmission, { key }, { signal });
  } catch (error) {
    if (error instanceof RequestError && error.code === 'no_receipt') return null;
    throw error;
  }
}
