import type { FindingRow, JobDetail } from '@svc/contracts';
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
/** Which part of the report a tab shows, as the site switches it. */
const panelOf: { readonly [V in ReportView]: keyof JobDetail['panels'] } = {
  timeline: 'alert_timeline',
  processes: 'process_tree',
  heuristics: 'threat_detection',
  entities: 'entities',
};

// What is looked at after the findings comes when it is asked for.
const TimelinePanel = lazy(async () => ({ default: (await import('./timeline-panel.tsx')).TimelinePanel }));
const ProcessesPanel = lazy(async () => ({ default: (await import('./processes-panel.tsx')).ProcessesPanel }));
const HeuristicsPanel = lazy(async () => ({ default: (await import('./heuristics-panel.tsx')).HeuristicsPanel }));
const EntitiesPanel = lazy(async () => ({ default: (await import('./entities-panel.tsx')).EntitiesPanel }));

/** The report below its verdict: findings, and what was derived from their events. */
export function ReportTabs({ job, findings }: { job: JobDetail; findings: readonly FindingRow[] }) {
  const { job_id: jobId, panels } = job;
  const shown = tabs.filter(([name]) => name === 'findings' || panels[panelOf[name]]);
  const { view: asked } = route.useSearch();
  const view = shown.find(([name]) => name === asked)?.[0] ?? 'findings';
  const navigate = route.useNavigate();
  const show = (next: ReportView | 'findings') => {
    const changes = { view: next === 'findings' ? undefined : next };
    void navigate({ search: (search) => changed(search, changes), replace: true, resetScroll: false });
  };
  return (
    <div className={styles.report}>
      <Tabs label="Report" value={view} tabs={shown} onChange={show}>
        <div className={styles.panel}>
          <Suspense fallback={<FindingsSkeleton />}>
            {view === 'findings' && <FindingsExplorer findings={findings} heatmap={panels.mitre_heatmap} />}
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
