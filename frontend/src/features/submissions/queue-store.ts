import { useSyncExternalStore } from 'react';
import { homeQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { detectType, sendFile } from '../../api/send-file.ts';
import { SubmissionQueue, type QueueState } from './submission-queue.ts';

/** The queue of this window; it outlives the Submit page, so that transfers go on behind other pages. */
export const submissionQueue = new SubmissionQueue({
  detect: detectType,
  send: async (file, options, watch) =>
    sendFile(file, options, watch, (await queryClient.ensureQueryData(homeQuery)).form_upload_bytes),
  now: Date.now,
  after: (ms, run) => void setTimeout(run, ms),
});

/** The files on their way, re-rendered as they move. */
export function useSubmissions(): QueueState {
  return useSyncExternalStore(submissionQueue.subscribe, submissionQueue.state);
}

/** Puts chosen or dropped files into the queue, within the limits of this service. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const home = await queryClient.ensureQueryData(homeQuery);
  if (home.demo_mode) return;
  submissionQueue.add(files, {
    files: home.max_upload_files,
    bytes: home.max_upload_size_mb * 1024 ** 2,
    slots: home.upload_slots,
  });
}
