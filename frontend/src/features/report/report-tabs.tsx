import type { FindingRow, JobDetail } from '@svc/contracts';
import { isCounting } from '@svc/domain';
import { Suspense, type ReactNode } from 'react';
import { useReport } from '../../api/report-source.ts';
import { useMe } from '../../api/session.ts';
import type { ChapterId } from '../../paths.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { lazy } from '../../ui/lazy.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { ReportDoors } from './doors/report-doors.tsx';
import { FindingsExplorer } from './findings/findings-explorer.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';
import type { ReportView } from './job-view.ts';
import styles from './report-tabs.module.css';
import { SeenMark } from './seen-mark.tsx';
import { useJobView } from './use-job-view.ts';

const tabs = [
  ['findings', 'Findings'],
  ['engines', 'Engines'],
  ['timeline', 'Timeline'],
  ['attack', 'ATT&CK'],
  ['processes', 'Process tree'],
  ['heuristics', 'Heuristics'],
  ['entities', 'Entities'],
  ['similar', 'Similar'],
  ['discussion', 'Discussion'],
  ['ai', 'AI analysis'],
  ['raw', 'Raw'],
] as const satisfies readonly (readonly [ReportView | 'findings', string])[];
/** Chapters of the guide about views that have one of their own. */
const chapterOf: { readonly [V in ReportView | 'findings']?: ChapterId } = {
  engines: 'engines',
  similar: 'similar',
  discussion: 'discussion',
  ai: 'ai',
};
/** Which part of the report a tab shows, as the site switches it. */
const panelOf: {
  readonly [V in Exclude<ReportView, 'engines' | 'similar' | 'discussion' | 'ai' | 'raw'>]: keyof JobDetail['panels'];
} = {
  timeline: 'alert_timeline',
  attack: 'mitre_heatmap',
  processes: 'process_tree',
  heuristics: 'threat_detection',
  entities: 'entities',
};

// What is looked at after the findings comes when it is asked for.
const TimelinePanel = lazy(async () => ({ default: (await import('./timeline/timeline-panel.tsx')).TimelinePanel }));
const EnginesPanel = lazy(async () => ({ default: (await import('./engines/engines-panel.tsx')).EnginesPanel }));
const AttackPanel = lazy(async () => ({ default: (await import('./attack/attack-panel.tsx')).AttackPanel }));
const ProcessesPanel = lazy(async () => ({
  default: (await import('./processes/processes-panel.tsx')).ProcessesPanel,
}));
const HeuristicsPanel = lazy(async () => ({ default: (await import('./heuristics-panel.tsx')).HeuristicsPanel }));
const EntitiesPanel = lazy(async () => ({ default: (await import('./entities-panel.tsx')).EntitiesPanel }));
const SimilarPanel = lazy(async () => ({ default: (await import('./related/similar-panel.tsx')).SimilarPanel }));
const RawPanel = lazy(async () => ({ default: (await import('./raw-panel.tsx')).RawPanel }));

interface ReportTabsProps {
  readonly panels: JobDetail['panels'];
  /** Undefined while they are on their way; without any there is no report. */
  readonly findings: readonly FindingRow[] | undefined;
  /** Whether several engines came to their end. @default false */
  readonly isCompared?: boolean;
  /** Where people talk about it, and how much they have said. */
  readonly discussion?: { readonly comments: number; readonly panel: ReactNode };
  /** What models say of it; left out where the site shows none of that. */
  readonly ai?: ReactNode;
}

/** The report below its verdict: findings, what was derived from their events, and what people say about it. */
export function ReportTabs({ panels, findings, isCompared = false, discussion, ai }: ReportTabsProps) {
  const { jobId } = useReport();
  const isAdmin = useMe()?.role === 'admin';
  const [{ view: asked }, change] = useJobView();
  const found = findings !== undefined && findings.length > 0;
  const isShown = (name: ReportView | 'findings'): boolean => {
    if (name === 'findings') return found || findings === undefined;
    if (name === 'discussion') return discussion !== undefined;
    if (name === 'ai') return ai !== undefined;
    if (name === 'engines') return isCompared && found;
    if (name === 'raw') return jobId !== null && isAdmin && findings !== undefined;
    return found && (name === 'similar' ? jobId !== null : panels[panelOf[name]]);
  };
  const shown = tabs
    .filter(([name]) => isShown(name))
    .map(([name, text]) => [name, text, name === 'discussion' ? discussion?.comments : undefined] as const);
  const [first] = shown[0] ?? [];
  if (first === undefined) return null;
  const names = shown.map(([name]) => name);
  const view = shown.find(([name]) => name === asked)?.[0] ?? first;
  const show = (next: ReportView | 'findings') =>
    change({ view: next === 'findings' ? undefined : next, comment: undefined, run: undefined });
  return (
    <div className={styles.report}>
      <Tabs
        label="Report"
        value={view}
        tabs={shown}
        aside={
          <>
            {jobId !== null && findings && <SeenMark jobId={jobId} hasTab={names.includes('entities')} />}
            <GuideLink chapter={chapterOf[view] ?? 'reading'} />
          </>
        }
        onChange={show}
      >
        <div className={styles.panel}>
          <ReportDoors views={names}>
            <Suspense fallback={<FindingsSkeleton />}>
              {view === 'findings' && findings === undefined && <FindingsSkeleton />}
              {view === 'findings' && findings && <FindingsExplorer findings={findings} panels={panels} />}
              {view === 'engines' && jobId !== null && <EnginesPanel jobId={jobId} />}
              {view === 'timeline' && <TimelinePanel />}
              {view === 'attack' && findings && <AttackPanel findings={findings.filter(isCounting)} />}
              {view === 'processes' && findings && <ProcessesPanel findings={findings} />}
              {view === 'heuristics' && <HeuristicsPanel />}
              {view === 'entities' && <EntitiesPanel />}
              {view === 'similar' && jobId !== null && findings && <SimilarPanel jobId={jobId} findings={findings} />}
              {view === 'discussion' && discussion?.panel}
              {view === 'ai' && ai}
              {view === 'raw' && jobId !== null && <RawPanel jobId={jobId} />}
            </Suspense>
          </ReportDoors>
        </div>
      </Tabs>
    </div>
  );
}
