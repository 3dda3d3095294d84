import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { changeTasks, countStorage, tasksQuery } from '../../api/admin.ts';
import { Failure } from '../../ui/form.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './storage-page.module.css';
import { isInFlight, taskWords } from './task-texts.ts';

/** The last task of a kind, and how it is; what it has changed is counted when it ends. */
export function LastTask({ kind }: { kind: string }): ReactNode {
  const { data } = useQuery(tasksQuery);
  const last = [...(data?.active_tasks ?? []), ...(data?.recent_tasks ?? [])].find((task) => task.kind === kind);
  const runs = last !== undefined && isInFlight(last);
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && !runs) void countStorage();
    ran.current = runs;
  }, [runs]);
  if (last === undefined) return null;
  return (
    <p className={styles.last} role="status">
      <StatusMark status={last.status} word={taskWords[last.status]} why={last.error} />{' '}
      <span className="faint">
        {last.error ?? last.detail} · <Age iso={last.finished_at ?? last.started_at ?? last.created_at} />
      </span>
    </p>
  );
}

/** Begins a task by a click. */
export function BeginTask(props: { words: string; begin: () => Promise<unknown> }): ReactNode {
  const { words, begin } = props;
  const task = useMutation({ mutationFn: () => changeTasks(begin) });
  return (
    <>
      <Button variant="default" loading={task.isPending} onClick={() => task.mutate()}>
        {words}
      </Button>
      {task.error && <Failure error={task.error} />}
    </>
  );
}
