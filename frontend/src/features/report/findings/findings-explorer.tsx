import { Button } from '@mantine/core';
import type { FindingRow, JobDetail } from '@svc/contracts';
import { isCounting } from '@svc/domain';
import { IconFilterOff } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { eventsQuery, useReport, type ReportSource } from '../../../api/report-source.ts';
import { useReviews } from '../../../api/reviews.ts';
import { cx } from '../../../ui/class-names.ts';
import { counted } from '../../../ui/format.ts';
import { lazy } from '../../../ui/lazy.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import { FindingPanel } from './finding-panel.tsx';
import styles from './findings-explorer.module.css';
import { FindingsList } from './findings-list.tsx';
import { FindingsTools } from './findings-tools.tsx';
import { spanHours } from '../../../ui/timeline/hour-bars.ts';
import { grouped, narrowed, stepped, suppressedGroup } from './narrow-findings.ts';
import { otherEngines, OtherEnginesProvider } from './other-engines.ts';
import { isDone, ReviewsProvider } from './review-states.tsx';
import { useDecidingByKey } from './use-deciding-by-key.tsx';
import { ruleFactsQuery } from './rule-facts-query.ts';
import { TacticStrip } from '../tactic-strip.tsx';
import { useFindingsNaming } from './use-findings-naming.ts';
import { useFindingsWithin } from './use-findings-within.ts';
import { noFilters } from '../job-view.ts';
import { useJobView } from '../use-job-view.ts';
import { WhatHappened } from '../what-happened.tsx';
import { WhereAndWho } from '../where-and-who.tsx';

const HourHistogram = lazy(async () => ({ default: (await import('../timeline/hour-histogram.tsx')).HourHistogram }));

/** The findings: tactics above, the list at the left, the chosen one at the right. All of its state is the address. */
export function FindingsExplorer(props: { findings: readonly FindingRow[]; panels: JobDetail['panels'] }) {
  const { findings: whole, panels } = props;
  const report = useReport();
  const [view, change] = useJobView();
  const findings = useFindingsNaming(whole, view);
  const panel = useRef<HTMLDivElement>(null);

  const { severity, tactic: within, technique, host, q, from, to, group, sort } = view;
  const isSpread = useMemo(() => spanHours(whole), [whole]);
  const reviews = useReviews(report.jobId);
  const done = useMemo(() => findings.filter(({ id }) => isDone(reviews.of.get(id))).length, [findings, reviews.of]);
  const left = useMemo(
    () => findings.filter((one) => isCounting(one) && !(view.hide && isDone(reviews.of.get(one.id)))),
    [view.hide, findings, reviews.of],
  );
  const inScope = useFindingsWithin(left, { from, to, host });
  const passing = useMemo(
    () => narrowed(left, { severity, tactic: within, technique, q }),
    [left, severity, within, technique, q],
  );
  // Each filter offers what the others leave: a choice that would show nothing says so before it is made.
  const inSeverities = useMemo(
    () => narrowed(inScope, { tactic: within, technique, q }),
    [inScope, within, technique, q],
  );
  const inTactics = useMemo(() => narrowed(inScope, { severity, technique, q }), [inScope, severity, technique, q]);
  const [showsSuppressed, setShowsSuppressed] = useState(false);
  const apart = useMemo(
    () => suppressedGroup(narrowed(findings, { severity, tactic: within, technique, q })),
    [findings, severity, within, technique, q],
  );
  const groups = useMemo(
    () => [...grouped(narrowed(inSeverities, { severity }), group, sort), ...(showsSuppressed ? apart : [])],
    [inSeverities, severity, group, sort, showsSuppressed, apart],
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
    bringIntoSight(panel.current);
  };
  const [outcome, decideByKey] = useDecidingByKey(reviews, (state) => {
    // What is decided about disappears here: the next one comes in its place.
    const next = stepped(inOrder, chosen?.id, 1);
    const follows = next === chosen ? stepped(inOrder, chosen?.id, -1) : next;
    if (view.hide && state !== 'escalated' && follows) change({ finding: follows.id });
  });
  useEffect(() => {
    // An event that is led to is seen, wherever on the page one came from.
    if (view.finding !== undefined && view.at !== undefined) bringIntoSight(panel.current);
  }, [view.finding, view.at]);
  useKeys({
    ...(chosen && reviews.decide && decideByKey(chosen)),
    j: () => choose(stepped(inOrder, chosen?.id, 1)),
    k: () => choose(stepped(inOrder, chosen?.id, -1)),
  });

  const others = useMemo(() => otherEngines(whole), [whole]);
  return (
    <ReviewsProvider value={reviews}>
      <OtherEnginesProvider value={others}>
        <div className={styles.where}>
          <div className={cx('card', styles.told)}>
            <WhatHappened />
            {panels.entities && <WhereAndWho findings={passing} all={whole} />}
          </div>
          {panels.event_timeline && isSpread && (
            <Suspense fallback={<div className="card" />}>
              <HourHistogram findings={passing} all={whole} hasLegend={!panels.mitre_heatmap} />
            </Suspense>
          )}
        </div>
        {panels.mitre_heatmap && (
          <TacticStrip findings={inTactics} chosen={view.tactic} onChoose={(tactic) => change({ tactic })} />
        )}
        <section aria-label="Findings" className={styles.findings}>
          <FindingsTools
            all={whole.filter(isCounting).length}
            findings={inSeverities}
            shown={inOrder}
            reviewed={done}
            view={view}
            onChange={change}
          />
          <div className={styles.split}>
            <FindingsList
              groups={groups}
              chosen={chosen}
              onChoose={choose}
              below={apart.map(({ findings: suppressed }) => (
                <p key="suppressed" className={styles.suppressed}>
                  {counted(suppressed.length, 'finding')} suppressed, of{' '}
                  {counted(new Set(suppressed.map((one) => one.rule_id)).size, 'rule')}{' '}
                  <LinkButton aria-expanded={showsSuppressed} onClick={() => setShowsSuppressed(!showsSuppressed)}>
                    {showsSuppressed ? 'Fold them away' : 'Show them'}
                  </LinkButton>
                </p>
              ))}
            />
            <div className={styles.panel} ref={panel}>
              {chosen ? (
                // All of it, with what the filters let through marked within.
                <FindingPanel
                  key={chosen.id}
                  finding={whole.find(({ id }) => id === chosen.id)!}
                  view={view}
                  onChange={change}
                />
              ) : (
                <div className="card">
                  <EmptyState
                    icon={IconFilterOff}
                    title={whole.some(isCounting) ? 'No finding passes these filters' : 'All findings are suppressed'}
                    action={
                      <Button variant="default" onClick={() => change(noFilters)}>
                        Clear the filters
                      </Button>
                    }
                  >
                    {counted(whole.length, 'finding')} in all.
                  </EmptyState>
                </div>
              )}
            </div>
          </div>
        </section>
        {outcome}
      </OtherEnginesProvider>
    </ReviewsProvider>
  );
}

function bringIntoSight(panel: HTMLElement | null): void {
  const top = panel?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > window.innerHeight / 2) panel?.scrollIntoView();
}

async function prefetchFinding(report: ReportSource, finding: FindingRow | undefined): Promise<void> {
  if (!finding) return;
  const { id, has_rule: hasRule, has_details: hasDetails } = finding;
  await Promise.all([
    hasRule && queryClient.prefetchQuery(ruleFactsQuery(report, id)),
    hasDetails && queryClient.prefetchQuery(eventsQuery(report, id)),
  ]);
}
