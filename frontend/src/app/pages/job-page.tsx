import type { JobDetail } from '@svc/contracts';
import { IconLock, IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { WatchButton } from '../../features/discussions/watch-button.tsx';
import { JobPage as Page, type JobParts } from '../../features/report/job-page.tsx';
import { changed } from '../../features/report/job-view.ts';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';

const route = getRouteApi(paths.job);
const DiscussionPanel = lazy(async () => ({
  default: (await import('../../features/discussions/discussion-panel.tsx')).DiscussionPanel,
}));
const AiPanel = lazy(async () => ({ default: (await import('../../features/ai/ai-panel.tsx')).AiPanel }));
const privateReaders = {
  icon: IconLock,
  text: 'This job is private: only its submitter and administrators can read this discussion.',
};
const publicReaders = {
  icon: IconUsers,
  text: 'This job is public: everyone with an account here can read this discussion, visitors without one cannot.',
};
const parts: JobParts = { WatchButton, Discussion, Ai };

/** A job's report, and what people say about it. */
export function JobPage() {
  return <Page parts={parts} />;
}

function Discussion({ job }: { job: JobDetail }) {
  const linked = route.useSearch({ select: ({ comment }) => comment });
  const { job_id: id, is_private: isPrivate, watching } = job;
  return (
    <DiscussionPanel
      on={{ target: 'job', id }}
      readers={isPrivate ? privateReaders : publicReaders}
      note={watching ? undefined : 'You will watch this job from then on.'}
      linked={linked}
    />
  );
}

function Ai({ job: { job_id: id, is_private: isPrivate } }: { job: JobDetail }) {
  const chosen = route.useSearch({ select: ({ run }) => run });
  const navigate = route.useNavigate();
  return (
    <AiPanel
      subject={{ kind: 'job', id }}
      readers={
        isPrivate
          ? 'This job is private: only its submitter and administrators can read these answers.'
          : 'This job is public: everyone who can open this page can read these answers.'
      }
      chosen={chosen}
      onChoose={(run) => void navigate({ search: (now) => changed(now, { run }), resetScroll: false })}
    />
  );
}
