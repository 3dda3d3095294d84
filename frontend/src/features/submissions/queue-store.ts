import { useSyncExternalStore } from 'react';
import { operations } from '@svc/contracts';
import { homeQuery } from '../../api/queries.ts';
import { invalidate, noticeEndedSession, queryClient } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { SendError } from '../../api/send-body.ts';
import { meQuery } from '../../api/session.ts';
import { keepInMind } from '../../api/unsaved-work.ts';
import { SubmissionQueue, type QueueState } from './submission-queue.ts';

// What sends files and tells their types is fetched once there are any.
/** The queue of this window; it outlives the Submit page, so that transfers go on behind other pages. */
export const submissionQueue = new SubmissionQueue({
  detect: async (file) => (await import('../../api/detect-type.ts')).detectKind(file),
  send: async (file, options, watch) => {
    const { sendFile } = await import('../../api/send-file.ts').catch(() => {
      throw new SendError(null);
    });
    const { form_upload_bytes } = await queryClient.ensureQueryData(homeQuery);
    const job = await sendFile(file, options, watch, form_upload_bytes).catch((error: unknown) => {
      if (error instanceof SendError && error.refusal) noticeEndedSession(error.refusal);
      throw error;
    });
    // A list that is shown takes the job in.
    void invalidate(queryKey(operations.listJobs), queryKey(operations.getHome));
    return job;
  },
  newKey: () => (queryClient.getQueryData(meQuery.queryKey) ? newKey() : null),
  now: Date.now,
  after: (ms, run) => void setTimeout(run, ms),
});

// Files that are not sent yet are in this window alone.
keepInMind(() => submissionQueue.state().list.some(({ stage }) => stage.at !== 'accepted' && stage.at !== 'refused'));
window.addEventListener('online', submissionQueue.reconnect);

/** An idempotency key that nobody has used. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

/** The files on their way, re-rendered as they move. */
export function useSubmissions(): QueueState {
  return useSyncExternalStore(submissionQueue.subscribe, submissionQueue.state);
}

/** Puts chosen or dropped files into the queue, within the limits of this service. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const home = await queryClient.ensureQueryData(homeQuery);
  if (home.demo_mode) return;
  const keys = submissionQueue.add(files, {
    files: home.max_upload_files,
    bytes: home.max_upload_size_mb * 1024 ** 2,
    slots: home.upload_slots,
  });
  if (!queryClient.getQueryData(meQuery.queryKey)?.send_at_once) return;
  const { submitWhenKnown } = await import('./submit-when-known.ts');
  submitWhenKnown(submissionQueue, keys, home.workflows);
}
