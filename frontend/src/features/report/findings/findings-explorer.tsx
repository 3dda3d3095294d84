import { Button } from '@mantine/core';
import type { FindingRow, JobDetail } from '@svc/contracts';
import { IconFilterOff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { eventsQuery, useReport, type ReportSource } from '../../../api/report-source.ts';
import { counted } from '../../../ui/format.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import { FindingPanel } from './finding-panel.tsx';
import styles from './findings-explorer.module.css';
import { FindingsList, noFilters } from './findings-list.tsx';
import { spanHours } from '../timeline/hour-bars.ts';
import { grouped, narrowed, stepped } from './narrow-findings.ts';
import { ruleFactsQuery } from './rule-facts-query.ts';
import { TacticStrip } from '../tactic-strip.tsx';
import { useFindingsWithin } from './use-findings-within.ts';
import { useJobView } from '../use-job-view.ts';
import { WhereAndWho } from '../where-and-who.tsx';

const HourHistogram = lazy(async () => ({ default: (await import('../timeline/hour-histogram.tsx')).HourHistogram }));

/** The findings: tactics above, the list at the left, the chosen one at the right. All of its state is the address. */
export function FindingsExplorer(props: { findings: readonly FindingRow[]; panels: JobDetail['panels'] }) {
  const { findings, panels } = props;
  const report = useReport();
  const [view, change] = useJobView();
  const panel = useRef<HTMLDivElement>(null);

  const { severity, tactic: within, technique, host, q, from, to, group, sort } = view;
  const matches = useMemo(() => findings.reduce((sum, { count }) => sum + count, 0), [findings]);
  const isSpread = useMemo(() => spanHours(findings), [findings]);
  const inScope = useFindingsWithin(findings, { from, to, host });
  const groups = useMemo(
    () => grouped(narrowed(inScope, { severity, tactic: within, technique, q }), group, sort),
    [inScope, severity, within, technique, q, group, sort],
  );
  const inOrder = useMemo(() => groups.flatMap((one) => one.findings), [groups]);
  const chosen = inOrder.find(({ id }) => id === view.finding) ?? inOrder[0];
  useEffect(() => {
    // What the next key press shows is there before it is pressed.
    for (const by of [1, -1]) void prefetchFinding(report, stepped(inOrder, chosen?.id, by));
  });
  const choose = (finding: FindingRow | undefined) => {
    if (!finding) return;
    change({ finding: finding.id });
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > window.innerHeight / 2) panel.current?.scrollIntoView();
  };
  useKeys({
    j: () => choose(stepped(inOrder, chosen?.id, 1)),
    k: () => choose(stepped(inOrder, chosen?.id, -1)),
  });

  return (
    <>
      {panels.mitre_heatmap && (
        <TacticStrip findings={findings} chosen={view.tactic} onChoose={(tactic) => change({ tactic })} />
      )}
      <div className={styles.where}>
        {panels.entities && <WhereAndWho />}
        {panels.event_timeline && isSpread && (
          <Suspense fallback={<div className="card" />}>
            <HourHistogram matches={matches} hasLegend={!panels.mitre_heatmap} />
          </Suspense>
        )}
      </div>
      <div className={styles.split}>
        <FindingsList
          findings={findings}
          groups={groups}
          view={view}
          chosen={chosen}
          onChange={change}
          onChoose={choose}
        />
        <div className={styles.panel} ref={panel}>
          {chosen ? (
            <FindingPanel key={chosen.id} finding={chosen} view={view} onChange={change} />
          ) : (
            <div className="card">
              <EmptyState
                icon={IconFilterOff}
                title="No finding passes these filters"
                action={
                  <Button variant="default" onClick={() => change(noFilters)}>
                    Clear the filters
                  </Button>
                }
              >
                {counted(findings.length, 'finding')} in all.
              </EmptyState>
            </div>
          )}
        </div>
      </div>
    </>
  );
}

async function prefetchFinding(report: ReportSource, finding: FindingRow | undefined): Promise<void> {
  if (!finding) return;
  const { id, has_rule: hasRule, has_details: hasDetails } = finding;
  await Promise.all([
    hasRule && queryClient.prefetchQuery(ruleFactsQuery(report, id)),
    hasDetails && queryClient.prefetchQuery(eventsQuery(report, id)),
  ]);
}
