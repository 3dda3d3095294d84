interface Advice {
  readonly title: string;
  readonly advice: string;
}

const advices: Readonly<Record<string, Advice>> = {
  no_task_ran: {
    title: 'Nothing was analysed.',
    advice:
      'No engine of this workflow can read this kind of log, so this is not a clean result. Submit the file again with another type or workflow.',
  },
  upload_missing: {
    title: 'The submitted file is gone.',
    advice: 'It was removed from the store before it could be analysed. Submit it again.',
  },
  workflow_empty: {
    title: 'The workflow has no tasks.',
    advice: 'An administrator has to give it some; then submit the file again.',
  },
  queue_unreachable: {
    title: 'The job could not be queued.',
    advice: 'The service was short of its queue when the file arrived. Submit it again.',
  },
  queue_expired: {
    title: 'No worker took the job in time.',
    advice: 'The service may be overloaded or without workers. Submit the file again.',
  },
  worker_lost_startup: {
    title: 'The analysis was interrupted.',
    advice: 'Its worker stopped before it was done. Submit the file again.',
  },
  worker_lost_admin: {
    title: 'The analysis was interrupted.',
    advice: 'Its worker stopped before it was done. Submit the file again.',
  },
};

/** What a failed job means and what to do about it, by its error code. */
export function adviceFor(code: string | null): Advice {
  const general = {
    title: 'The analysis failed.',
    advice: 'What is listed below, if anything, was found before that.',
  };
  return (code === null ? undefined : advices[code]) ?? general;
}
