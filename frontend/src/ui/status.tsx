import type { JobStatus, TaskStatus } from '@svc/domain';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import { cx } from './class-names.ts';
import { sentence } from './format.ts';
import styles from './status.module.css';

const looks = {
  pending: { icon: IconCircleDashed, tone: styles.quiet, word: 'Queued' },
  running: { icon: IconLoader2, tone: styles.live, word: 'Analysing' },
  completed: { icon: IconCircleCheck, tone: styles.good, word: 'Completed' },
  partial: { icon: IconAlertTriangle, tone: styles.warn, word: 'Partial' },
  failed: { icon: IconCircleX, tone: styles.bad, word: 'Failed' },
  cancelled: { icon: IconBan, tone: styles.quiet, word: 'Cancelled' },
  skipped: { icon: IconPlayerSkipForward, tone: styles.quiet, word: 'Skipped' },
} satisfies Record<JobStatus | TaskStatus, { icon: unknown; tone: string | undefined; word: string }>;

/** State of a job or task: icon and word; `pill` puts them on a ground of their own. */
export function StatusMark({ status, pill }: { status: JobStatus | TaskStatus; pill?: boolean }) {
  const { icon: Icon, tone, word } = looks[status];
  return (
    <span className={cx(styles.status, tone, pill && styles.pill)}>
      <Icon size={16} stroke={2} aria-hidden="true" className={status === 'running' ? styles.spin : undefined} />
      {word}
    </span>
  );
}

/** The word alone, for sentences and screen readers. */
export function statusWord(status: JobStatus): string {
  return sentence(looks[status].word);
}
