import type { Scheduled } from '@svc/contracts';
import { cx } from '../../ui/class-names.ts';
import { duration } from '../../ui/format.ts';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Age, Time } from '../../ui/time.tsx';
import { taskWords } from './task-texts.ts';
import styles from './tasks-page.module.css';

/** What is done again and again: how it went the last time, and when it comes next. */
export function TaskSchedule({ scheduled }: { scheduled: readonly Scheduled[] }) {
  const soonest = scheduled.toSorted((a, b) => a.next_run.localeCompare(b.next_run));
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={styles.outcome}>
              Last run
            </th>
            <th scope="col" className={cx(styles.age, 'num')}>
              When
            </th>
            <th scope="col" className={cx(styles.took, 'num')}>
              Took
            </th>
            <th scope="col" className={cx(styles.moment, 'num')}>
              Next (UTC)
            </th>
          </tr>
        </thead>
        <tbody>
          {soonest.map(({ key, label, next_run: nextRun, last }) => (
            <tr key={key} className={table.row}>
              <td className={styles.label} data-hint={key}>
                {label}
              </td>
              <td data-hint={last?.detail}>
                {last === null ? (
                  <span className="faint">not yet</span>
                ) : (
                  <>
                    <StatusMark status={last.outcome} word={taskWords[last.outcome]} />{' '}
                    <span className="soft">{last.detail}</span>
                  </>
                )}
              </td>
              <td className="num soft">{last && <Age iso={last.ts} />}</td>
              <td className="num soft">{last && duration(last.duration_ms)}</td>
              <td className="num soft">
                <Time iso={nextRun} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
