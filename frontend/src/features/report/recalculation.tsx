import { Button } from '@mantine/core';
import { operations, type RawOutputs } from '@svc/contracts';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { cx } from '../../ui/class-names.ts';
import { reasonOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './raw-panel.module.css';
import { useRecalculate } from './use-recalculate.ts';

type Last = RawOutputs['recalculation'];

/** Whether a worker has still to do it. */
export function isInFlight(last: Last | undefined): boolean {
  return last?.status === 'pending' || last?.status === 'running';
}

/** Has the analytics derived again, and says what came of it the last time. */
export function Recalculation({ jobId, last }: { jobId: number; last: Last }) {
  const recalculate = useRecalculate(jobId);
  const inFlight = isInFlight(last);
  const ended = last?.status === 'completed' ? last.task_id : null;
  useEffect(() => {
    // What the other tabs have read before is made anew.
    if (ended === null) return;
    for (const read of [
      operations.getAnalytics,
      operations.getProcessTree,
      operations.getEventsTimeline,
      operations.getAlertMarkers,
    ])
      void invalidate(queryKey(read, { id: jobId }));
  }, [ended, jobId]);
  return (
    <section className={cx('card', styles.card)} aria-label="Recalculation">
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        loading={recalculate.isPending}
        disabled={inFlight}
        onClick={() => recalculate.mutate()}
      >
        Recalculate analytics
      </Button>
      <span className="soft" role="status">
        {recalculate.isError ? reasonOf(recalculate.error) : <Told last={last} />}
      </span>
    </section>
  );
}

function Told({ last }: { last: Last }) {
  if (last === null)
    return <>Derives hours, entities, timeline, processes and heuristics again from the raw outputs.</>;
  if (isInFlight(last)) return <>A worker begins within seconds.</>;
  return (
    <>
      {last.status === 'failed' ? 'Failed: ' : 'Last time '}
      {last.detail} (<Time iso={last.asked_at} zone />)
    </>
  );
}
