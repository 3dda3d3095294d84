import type { SubmissionQueue } from './submission-queue.ts';
import { canSend, sendOptions, type WorkflowChoice } from './submission.ts';

/** Submits these files, each as soon as it is known to be one that can be; the others stay to be looked at. */
export function submitWhenKnown(
  queue: SubmissionQueue,
  keys: readonly number[],
  workflows: readonly WorkflowChoice[],
): void {
  const left = new Set(keys);
  const look = (): void => {
    const { list, options } = queue.state();
    for (const submission of list) {
      const { key, detection } = submission;
      if (!left.has(key) || detection.at === 'asking') continue;
      left.delete(key);
      if (canSend(submission, options, workflows)) queue.submit(key, sendOptions(submission, options, workflows));
    }
    if (!queue.state().list.some(({ key }) => left.has(key))) leave();
  };
  const leave = queue.subscribe(look);
  look();
}
