import { keptPreferences, preferenceCookies, type JobsPreferences } from '@svc/contracts';

/** How the visitor last had the jobs list, or how it is at first; the service reads the same cookies. */
export function jobsPreferences(): Required<JobsPreferences> {
  return { view: 'compact', per: 20, ...keptPreferences(document.cookie.split(';')) };
}

/** Keeps what the visitor chose for the next visit, before the service is asked for it. */
export function keepPreferences(chosen: JobsPreferences): void {
  for (const cookie of preferenceCookies(chosen, { secure: location.protocol === 'https:' })) document.cookie = cookie;
}
