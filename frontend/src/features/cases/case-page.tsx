import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { caseQuery } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { lazy } from '../../ui/lazy.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { CaseEntities } from './case-entities.tsx';
import { CaseHead } from './case-head.tsx';
import { CaseJobs } from './case-jobs.tsx';
import { CaseOverview } from './case-overview.tsx';
import { caseView, type CaseView } from './case-view.ts';
import styles from './case-page.module.css';

const CaseProcesses = lazy(async () => ({ default: (await import('./case-processes.tsx')).CaseProcesses }));
const route = getRouteApi(paths.case);
const CaseTimeline = lazy(async () => ({ default: (await import('./case-timeline.tsx')).CaseTimeline }));
const CaseFindings = lazy(async () => ({ default: (await import('./case-findings.tsx')).CaseFindings }));
const CaseHosts = lazy(async () => ({ default: (await import('./case-hosts.tsx')).CaseHosts }));

interface CasePageProps {
  readonly Discussion: ComponentType<{ id: number }>;
  readonly Graph: ComponentType<{ id: number; job: number | undefined }>;
  readonly Ai: ComponentType<{ id: number }>;
}

/** An investigation: what many jobs tell together. */
export function CasePage({ Discussion, Graph, Ai }: CasePageProps): ReactNode {
  const { caseId: id } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(caseQuery(id));
  const change = (changed: { readonly [K in keyof CaseView]?: CaseView[K] | undefined }) =>
    void navigate({ search: (now) => caseView({ ...now, ...changed }), resetScroll: false });
  if (found.data === undefined) {
    if (found.isError)
      return (
        <ErrorState whole what="There is nothing to show here" error={found.error} retry={() => void found.refetch()} />
      );
    return (
      <div className={styles.loading} role="status" aria-busy="true" aria-label="The case is loading">
        <Skeleton width="40%" height={24} />
        <Skeleton width="60%" />
        <Skeleton height={240} />
      </div>
    );
  }
  // A link to a tab that is switched off leads to the first.
  const tab = view.view === undefined || (view.view === 'ai' && !found.data.shows_ai) ? 'overview' : view.view;
  return (
    <>
      <title>{`${found.data.name} · svc`}</title>
      <CaseHead of={found.data} />
      <Tabs
        label="What is in it"
        value={tab}
        tabs={[
          ['overview', 'Overview'],
          ['timeline', 'Timeline'],
          ['findings', 'Findings'],
          ['hosts', 'Hosts and users'],
          ['entities', 'Entities', found.data.entity_count],
          ['jobs', 'Jobs', found.data.job_count],
          ['processes', 'Processes'],
          ['graph', 'Graph'],
          ['discussion', 'Discussion', found.data.comment_count],
          ...(found.data.shows_ai ? ([['ai', 'AI analysis']] as const) : []),
        ]}
        onChange={(next) =>
          change({ view: next === 'overview' ? undefined : next, comment: undefined, run: undefined })
        }
      >
        {tab === 'overview' && <CaseOverview of={found.data} />}
        {tab === 'timeline' && <CaseTimeline of={found.data} />}
        {tab === 'findings' && <CaseFindings of={found.data} />}
        {tab === 'hosts' && <CaseHosts of={found.data} />}
        {tab === 'entities' && <CaseEntities of={found.data} />}
        {tab === 'jobs' && <CaseJobs of={found.data} />}
        {tab === 'processes' && <CaseProcesses id={id} view={view} onChange={change} />}
        {tab === 'graph' && <Graph id={id} job={view.job} />}
        {tab === 'ai' && (
          <div className={styles.apart}>
            <Ai id={id} />
          </div>
        )}
        {tab === 'discussion' && (
          <div className={styles.apart}>
            <Discussion id={id} />
          </div>
        )}
      </Tabs>
    </>
  );
}
