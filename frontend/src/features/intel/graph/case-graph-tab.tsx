import { IconTopologyStar3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { caseActiveQuery, caseGraphQuery, caseGraphRequest } from '../../../api/case-story.ts';
import { counted } from '../../../ui/format.ts';
import { EmptyState, Notice } from '../../../ui/states.tsx';
import { TimeWindow, type Window } from './time-window.tsx';
import styles from './entity-graph.module.css';
import { GraphView } from './graph-view.tsx';

/** A case has many hashes, which say little beside what they are of. */
const hiddenFirst = { types: ['hash'], edges: [] } as const;

/** The graph of a case. A window of time lights up the entities that rules named in it. */
export function CaseGraphTab({ id, job }: { id: number; job: number | undefined }) {
  const [window, setWindow] = useState<Window>({});
  const isNarrowed = window.from !== undefined || window.to !== undefined;
  const all = useQuery(caseActiveQuery(id, {}));
  const active = useQuery({ ...caseActiveQuery(id, window), enabled: isNarrowed });
  const ids = active.data?.entity_ids;
  const lit = useMemo(() => (isNarrowed && ids ? new Set(ids) : null), [isNarrowed, ids]);
  const extent = all.data?.extent;
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
          </div>
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
