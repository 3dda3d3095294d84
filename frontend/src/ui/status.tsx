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

const partlyReadLook = { ...looks.partial, word: 'Partly read' };

interface StatusProps {
  readonly status: JobStatus | TaskStatus;
  /** On a ground of its own. */
  readonly pill?: boolean;
  /** Whether parts of the log could not be read, so that “completed” would promise too much. */
  readonly partlyRead?: boolean;
  /** In place of the usual word. */
  readonly word?: string;
  /** Why it is so, shown on hover. */
  readonly why?: string | null;
}

/** State of a job or task: icon and word. */
export function StatusMark({ status, pill, partlyRead = false, word: own, why = null }: StatusProps) {
  const isPartlyRead = partlyRead && status === 'completed';
  const { icon: Icon, tone, word } = isPartlyRead ? partlyReadLook : looks[status];
  const hint = isPartlyRead ? 'Not all of the log could be read; what could be was analysed' : why;
  return (
    <span className={cx(styles.status, tone, pill && styles.pill)} data-hint={hint ?? undefined}>
      <Icon size={16} stroke={2} aria-hidden="true" className={status === 'running' ? styles.spin : undefined} />
      {own ?? word}
    </span>
  );
}

/** The word alone, for sentences and screen readers. */
export function statusWord(status: JobStatus): string {
  return sentence(looks[status].word);
}
