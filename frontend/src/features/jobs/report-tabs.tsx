import type { FindingRow } from '@svc/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { paths } from '../../paths.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { FindingsExplorer } from './findings-explorer.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';
import { changed, type ReportView } from './job-view.ts';
import styles from './report-tabs.module.css';

const route = getRouteApi(paths.job);
const tabs = [
  ['findings', 'Findings'],
  ['timeline', 'Timeline'],
  ['processes', 'Process tree'],
  ['heuristics', 'Heuristics'],
  ['entities', 'Entities'],
] as const satisfies readonly (readonly [ReportView | 'findings', string])[];

// What is looked at after the findings comes when it is asked for.
const TimelinePanel = lazy(async () => ({ default: (await import('./timeline-panel.tsx')).TimelinePanel }));
const ProcessesPanel = lazy(async () => ({ default: (await import('./processes-panel.tsx')).ProcessesPanel }));
const HeuristicsPanel = lazy(async () => ({ default: (await import('./heuristics-panel.tsx')).HeuristicsPanel }));
const EntitiesPanel = lazy(async () => ({ default: (await import('./entities-panel.tsx')).EntitiesPanel }));

/** The report below its verdict: findings, and what was derived from their events. */
export function ReportTabs({ jobId, findings }: { jobId: number; findings: readonly FindingRow[] }) {
  const { view = 'findings' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: ReportView | 'findings') => {
    const changes = { view: next === 'findings' ? undefined : next };
    void navigate({ search: (search) => changed(search, changes), replace: true, resetScroll: false });
  };
  return (
    <div className={styles.report}>
      <Tabs label="Report" value={view} tabs={tabs} onChange={show}>
        <div className={styles.panel}>
          <Suspense fallback={<FindingsSkeleton />}>
            {view === 'findings' && <FindingsExplorer findings={findings} />}
            {view === 'timeline' && <TimelinePanel jobId={jobId} />}
            {view === 'processes' && <ProcessesPanel jobId={jobId} />}
            {view === 'heuristics' && <HeuristicsPanel jobId={jobId} />}
            {view === 'entities' && <EntitiesPanel jobId={jobId} />}
          </Suspense>
        </div>
      </Tabs>
    </div>
  );
}
