import type { JobState } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { useLocation } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useJobStates, usePolledStates } from '../api/queries.ts';
import { useSubmissions } from '../features/submissions/queue-store.ts';
import { paths } from '../paths.ts';
import { lazy } from '../ui/lazy.ts';

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

/** Follows the jobs submitted here, and tells of those that finish while another page is open. */
export function FinishedToasts() {
  const { pathname } = useLocation();
  const names = new Map(
    useSubmissions().list.flatMap(({ file, stage }) =>
      stage.at === 'accepted' ? [[stage.job.job_id, file.name] as const] : [],
    ),
  );
  const ids = [...names.keys()];
  usePolledStates(ids);
  const finished = useJobStates(ids).filter(({ status }) => isTerminal(status));
  const [told, setTold] = useState<ReadonlyMap<number, JobState | null>>(new Map());

  const fresh = finished.filter(({ job_id: id }) => !told.has(id));
  if (fresh.length > 0) {
    const inView = (state: JobState) => pathname === paths.submit || pathname === state.job_url.split('?')[0];
    setTold(new Map([...told, ...fresh.map((state) => [state.job_id, inView(state) ? null : state] as const)]));
  }
  const toTell = [...told.values()].filter((state) => state !== null);
  if (toTell.length === 0) return null;
  return (
    <Suspense>
      <Toasts finished={toTell} names={names} />
    </Suspense>
  );
}
