import type { AiRunHead } from '@svc/contracts';
import { cx } from '../../ui/class-names.ts';
import { Age } from '../../ui/time.tsx';
import styles from './ai-panel.module.css';

export const statusTexts: Readonly<Record<AiRunHead['status'], string>> = {
  pending: 'Waiting',
  running: 'Writing',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Stopped',
};

/** How a run stands, in a word or two. */
export function statusText({ status, stalled }: Pick<AiRunHead, 'status' | 'stalled'>): string {
  return stalled ? 'Never reported back' : statusTexts[status];
}

/** The newest runs; one of them is read. */
export function RunList(props: {
  runs: readonly AiRunHead[];
  chosen: number | undefined;
  onChoose: (id: number) => void;
}) {
  const { runs, chosen, onChoose } = props;
  return (
    <nav className={styles.runs} aria-label="Runs, the newest first">
      <ul>
        {runs.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className={cx(styles.run, run.id === chosen && styles.chosen)}
              aria-current={run.id === chosen ? 'true' : undefined}
              onClick={() => onChoose(run.id)}
            >
              <span className="cut">{run.provider_name}</span>
              <span className="faint">
                {statusText(run)} · <Age iso={run.created_at} />
              </span>
              <span className="faint">{run.requested_by?.name ?? 'deleted account'}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
