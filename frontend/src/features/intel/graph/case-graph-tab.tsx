import { IconTopologyStar3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { caseActiveQuery, caseGraphQuery, caseGraphRequest, caseTimelineQuery } from '../../../api/case-story.ts';
import { Failure } from '../../../ui/form.tsx';
import { counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState, Notice, Skeleton } from '../../../ui/states.tsx';
import type { TimeWindow as HoursWindow } from '../../../ui/time-bars/time-bars.ts';
import { HoursChart } from '../../../ui/timeline/hours-chart.tsx';
import { TimeWindow, type Window } from './time-window.tsx';
import styles from './entity-graph.module.css';
import { GraphView } from './graph-view.tsx';

/** A case has many hashes, which say little beside what they are of. */
const hiddenFirst = { types: ['hash'], edges: [] } as const;

/** The graph of a case. A window of time lights up the entities that rules named in it. */
export function CaseGraphTab({ id, job }: { id: number; job: number | undefined }) {
  const [window, setWindow] = useState<Window>({});
  const [hasHours, setHours] = useState(false);
  const isNarrowed = window.from !== undefined || window.to !== undefined;
  const all = useQuery(caseActiveQuery(id, {}));
  const active = useQuery({ ...caseActiveQuery(id, window), enabled: isNarrowed });
  const ids = active.data?.entity_ids;
  const lit = useMemo(() => (isNarrowed && ids ? new Set(ids) : null), [isNarrowed, ids]);
  const extent = all.data?.extent;
  const { from, to } = window;
  return (
    <GraphView
      of="cases"
      id={id}
      job={job}
      folds={false}
      hiddenFirst={hiddenFirst}
      active={lit}
      query={(asked) => caseGraphQuery(id, asked)}
      request={caseGraphRequest}
      window={
        <>
          <div className={styles.window}>
            <TimeWindow what="Rules that fired" value={window} extent={extent} onChange={setWindow} />
            {extent && (
              <LinkButton aria-expanded={hasHours} onClick={() => setHours(!hasHours)}>
                {hasHours ? 'Hide the hours' : 'Choose by hour'}
              </LinkButton>
            )}
          </div>
          {hasHours && (
            <Hours
              id={id}
              job={job}
              window={from === undefined || to === undefined ? null : { from, to }}
              onBrush={(next) => setWindow(next ?? {})}
            />
          )}
          {isNarrowed && active.data && (
            <Notice tone="info">
              A rule linked to {counted(active.data.entity_ids.length, 'entity', 'entities')} fired in the window.
              {active.data.jobs_without_index > 0 &&
                ` Of ${counted(active.data.jobs_without_index, 'job')} of ${active.data.jobs} it is not known when.`}
            </Notice>
          )}
        </>
      }
      empty={
        <EmptyState icon={IconTopologyStar3} title="Nothing in this case can be drawn">
          Entities of the case are drawn here, and what joins them: relationships, rule matches, and logs that name
          both.
        </EmptyState>
      }
    />
  );
}

interface HoursProps {
  readonly id: number;
  readonly job: number | undefined;
  readonly window: HoursWindow | null;
  readonly onBrush: (window: HoursWindow | null) => void;
}

/** Matches by hour, of which a stretch is brushed. */
function Hours({ id, job, window, onBrush }: HoursProps) {
  const { data, error } = useQuery(caseTimelineQuery(id, { job }));
  if (error) return <Failure error={error} />;
  if (data === undefined) return <Skeleton height={160} />;
  const { timeline = [], timeline_tactics: legend = [] } = data;
  return <HoursChart hours={timeline} legend={legend} window={window} onBrush={onBrush} />;
}
