import type { JobDetail } from '@svc/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { WatchButton } from '../../features/discussions/watch-button.tsx';
import { JobPage as Page, type JobParts } from '../../features/report/job-page.tsx';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';

const route = getRouteApi(paths.job);
const DiscussionPanel = lazy(async () => ({
  default: (await import('../../features/discussions/discussion-panel.tsx')).DiscussionPanel,
}));
const parts: JobParts = { WatchButton, Discussion };

/** A job's report, and what people say about it. */
export function JobPage() {
  return <Page parts={parts} />;
}

function Discussion({ job }: { job: JobDetail }) {
  const linked = route.useSearch({ select: ({ comment }) => comment });
  return <DiscussionPanel job={job} linked={linked} />;
}
