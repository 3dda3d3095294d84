import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { tasksQuery } from '../../api/admin.ts';
import { paths } from '../../paths.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TaskActivity } from './task-activity.tsx';
import { TaskBackfills } from './task-backfills.tsx';
import { TaskQueue } from './task-queue.tsx';
import { TaskSchedule } from './task-schedule.tsx';
import styles from './tasks-page.module.css';
import type { TasksTab } from './tasks-view.ts';

const route = getRouteApi(paths.tasks);

/** What the service works on beside answering, what waits, what comes by itself, and what can be made anew. */
export function TasksPage(): ReactNode {
  const { view = 'activity' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(tasksQuery);
  if (data === undefined && error) {
    return <ErrorState whole what="The tasks cannot be listed" error={error} retry={() => void refetch()} />;
  }
  const active = data === undefined ? undefined : data.active_jobs.length + data.active_tasks.length;
  const queued = data === undefined ? undefined : data.queue.size + data.delayed.size;
  const choose = (tab: TasksTab) =>
    void navigate({ search: tab === 'activity' ? {} : { view: tab }, resetScroll: false });
  return (
    <>
      <title>Tasks · svc</title>
      <PageHead title="Tasks" />
      <Tabs<TasksTab>
        label="Tasks"
        value={view}
        tabs={[
          ['activity', 'Activity', active],
          ['queue', 'Queue', queued],
          ['scheduled', 'Scheduled'],
          ['anew', 'Make anew'],
        ]}
        onChange={choose}
      >
        <div className={styles.panel}>
          {data === undefined ? (
            <Skeleton height={320} />
          ) : view === 'activity' ? (
            <TaskActivity tasks={data} />
          ) : view === 'queue' ? (
            <TaskQueue tasks={data} />
          ) : view === 'scheduled' ? (
            <TaskSchedule scheduled={data.scheduled} />
          ) : (
            <TaskBackfills tasks={[...data.active_tasks, ...data.recent_tasks]} />
          )}
        </div>
      </Tabs>
    </>
  );
}
