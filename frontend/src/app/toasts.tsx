import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';
import type { JobState } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '../paths.ts';
import { counted } from '../ui/format.ts';
import { SeverityBar } from '../ui/severity.tsx';
import { StatusMark } from '../ui/status.tsx';
import styles from './toasts.module.css';

/** One toast for each finished job; the id keeps a job from being told of twice. */
export function Toasts({ finished, names }: { finished: readonly JobState[]; names: ReadonlyMap<number, string> }) {
  useEffect(() => {
    for (const state of finished) {
      const name = names.get(state.job_id) ?? `Job ${state.job_id}`;
      notifications.show({
        id: `job-${state.job_id}`,
        message: <Finished state={state} name={name} />,
        closeButtonProps: { 'aria-label': 'Dismiss' },
      });
    }
  }, [finished, names]);
  return <Notifications position="bottom-right" autoClose={8000} limit={4} containerWidth={340} />;
}

function Finished({ state, name }: { state: JobState; name: string }) {
  return (
    <div className={styles.toast}>
      <Link to={paths.job} params={{ jobId: state.job_id }} className="cut">
        {name}
      </Link>
      <span className={styles.line}>
        <StatusMark status={state.status} partlyRead={state.partly_read} why={state.error} />
        <span className="soft">{counted(state.total_findings, 'matched event')}</span>
      </span>
      {state.total_findings > 0 && <SeverityBar summary={state.severity_summary} />}
    </div>
  );
}
