import type { FindingRow, JobDetail } from '@svc/contracts';
import { lazy, Suspense } from 'react';
import { useReport } from '../../api/report-source.ts';
import { useMe } from '../../api/session.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { FindingsExplorer } from './findings-explorer.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';
import type { ReportView } from './job-view.ts';
import styles from './report-tabs.module.css';
import { useJobView } from './use-job-view.ts';

const tabs = [
  ['findings', 'Findings'],
  ['timeline', 'Timeline'],
  ['processes', 'Process tree'],
  ['heuristics', 'Heuristics'],
  ['entities', 'Entities'],
  ['similar', 'Similar'],
  ['raw', 'Raw'],
] as const satisfies readonly (readonly [ReportView | 'findings', string])[];
/** Which part of the report a tab shows, as the site switches it. */
const panelOf: { readonly [V in Exclude<ReportView, 'similar' | 'raw'>]: keyof JobDetail['panels'] } = {
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
const SimilarPanel = lazy(async () => ({ default: (await import('./similar-panel.tsx')).SimilarPanel }));
const RawPanel = lazy(async () => ({ default: (await import('./raw-panel.tsx')).RawPanel }));

/** The report below its verdict: findings, and what was derived from their events. */
export function ReportTabs({ panels, findings }: { panels: JobDetail['panels']; findings: readonly FindingRow[] }) {
  const { jobId } = useReport();
  const isAdmin = useMe()?.role === 'admin';
  const shown = tabs.filter(([name]) => {
    if (name === 'similar') return jobId !== null;
    if (name === 'raw') return jobId !== null && isAdmin;
    return name === 'findings' || panels[panelOf[name]];
  });
  const [{ view: asked }, change] = useJobView();
  const view = shown.find(([name]) => name === asked)?.[0] ?? 'findings';
  const show = (next: ReportView | 'findings') => change({ view: next === 'findings' ? undefined : next });
  return (
    <div className={styles.report}>
      <Tabs label="Report" value={view} tabs={shown} onChange={show}>
        <div className={styles.panel}>
          <Suspense fallback={<FindingsSkeleton />}>
            {view === 'findings' && <FindingsExplorer findings={findings} heatmap={panels.mitre_heatmap} />}
            {view === 'timeline' && <TimelinePanel />}
            {view === 'processes' && <ProcessesPanel />}
            {view === 'heuristics' && <HeuristicsPanel />}
            {view === 'entities' && <EntitiesPanel />}
            {view === 'similar' && jobId !== null && <SimilarPanel jobId={jobId} findings={findings} />}
            {view === 'raw' && jobId !== null && <RawPanel jobId={jobId} />}
          </Suspense>
        </div>
      </Tabs>
    </div>
  );
}
