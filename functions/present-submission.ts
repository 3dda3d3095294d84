import type { SubmittedJob } from '@svc/contracts';
import type { HttpEvent } from './http-event.ts';
import type { Presentation } from './route.ts';

/** 202 for a new job, 200 for one that was there; a form post that asks for HTML goes to its page. */
export function presentSubmission(
  job: SubmittedJob & { readonly replayed?: boolean },
  { headers }: { headers: HttpEvent['headers'] },
): Presentation {
  if (headers['accept']?.includes('text/html')) return { status: 303, headers: { location: job.job_url } };
  return { status: job.reused || job.replayed ? 200 : 202 };
}
