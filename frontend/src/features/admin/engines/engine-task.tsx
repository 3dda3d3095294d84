import type { AdminEngine } from '@svc/contracts';
import { isBusy } from '../../../api/engines.ts';
import { Progress } from '../../../ui/progress.tsx';
import { Age } from '../../../ui/time.tsx';
import styles from './engines-page.module.css';

/** How the last test, pull or build goes, or that it failed. */
export function EngineTask({ engine }: { engine: AdminEngine }) {
  const { task, title } = engine;
  if (task === null) return null;
  const what = task.kind === 'test_engine' ? 'Looking for it' : 'Making its image ready';
  if (isBusy(engine)) {
    return (
      <div className={styles.task} role="status">
        <span>
          {task.status === 'pending' ? `${what}: waits for a worker of the heavy lane` : what}{' '}
          <span className="faint">
            <Age iso={task.created_at} />
          </span>
        </span>
        <Progress label={`${what} (${title})`} />
        {task.detail !== null && <code className="cut">{task.detail}</code>}
      </div>
    );
  }
  // What a test has not found stands above.
  if (task.status !== 'failed' || task.kind === 'test_engine') return null;
  return (
    <p className={styles.bad} role="status">
      The image could not be made ready: {task.error}
    </p>
  );
}
