import { call, operations, type OutputOf, type QueuedEntry, type Scheduled } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import table from '../../ui/table.module.css';
import { Age, Time } from '../../ui/time.tsx';
import { Deed } from './task-deeds.tsx';
import { nameOf } from './task-texts.ts';
import styles from './tasks-page.module.css';

type Tasks = OutputOf<typeof operations.listTasks>;

/** What waits for a worker, and what waits for its time. */
export function TaskQueue({ tasks }: { tasks: Tasks }) {
  const { queue, delayed, scheduled } = tasks;
  return (
    <>
      <Part id="waiting" title="Waiting" part={queue} scheduled={scheduled} empty="No task waits for a worker." />
      <Part
        id="delayed"
        title="Delayed"
        part={delayed}
        scheduled={scheduled}
        empty="No task waits for its time: none is to be tried again."
      />
    </>
  );
}

interface PartProps {
  readonly id: 'waiting' | 'delayed';
  readonly title: string;
  readonly part: Tasks['queue'];
  readonly scheduled: readonly Scheduled[];
  readonly empty: string;
}

function Part({ id, title, part: { size, is_more: isMore, entries }, scheduled, empty }: PartProps) {
  return (
    <section aria-labelledby={id} className={styles.part}>
      <h2 id={id}>
        {title}{' '}
        {size > 0 && (
          <span className="faint">
            {count(size)}
            {isMore && ' and more'}
          </span>
        )}
      </h2>
      {entries.length === 0 ? (
        <p className="soft">{empty}</p>
      ) : (
        <>
          <Entries entries={entries} scheduled={scheduled} isDelayed={id === 'delayed'} />
          {size > entries.length && <p className="faint">The first {entries.length} of them.</p>}
        </>
      )}
    </section>
  );
}

function Entries(props: {
  readonly entries: readonly QueuedEntry[];
  readonly scheduled: readonly Scheduled[];
  readonly isDelayed: boolean;
}) {
  const { entries, scheduled, isDelayed } = props;
  return (
    <div className={cx('card', table.wrap)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={styles.lane}>
              Lane
            </th>
            <th scope="col" className={cx(styles.attempts, 'num')}>
              Begun
            </th>
            <th scope="col" className={cx(styles.moment, 'num')}>
              {isDelayed ? 'Not before (UTC)' : 'Waits for'}
            </th>
            <th scope="col" className={styles.deeds}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.queue_id} entry={entry} name={nameOf(entry.kind, scheduled)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow({ entry, name }: { entry: QueuedEntry; name: string }) {
  const { queue_id: key, kind, lane, attempts, target_id: target, queued_at: queuedAt, due_at: dueAt } = entry;
  const isJob = kind === 'run_analysis' && target !== null;
  return (
    <tr className={table.row}>
      <td data-hint={entry.name ?? name}>
        {isJob ? (
          <Link to={paths.job} params={{ jobId: target }}>
            {entry.name ?? name}
          </Link>
        ) : (
          name
        )}
        {!isJob && target !== null && <span className="faint"> #{target}</span>}
      </td>
      <td className="soft">{lane}</td>
      <td className="num soft">{attempts === 0 ? 'not yet' : `${count(attempts)} ×`}</td>
      <td className="num soft">
        {dueAt !== null ? <Time iso={dueAt} /> : queuedAt !== null ? <Age iso={queuedAt} /> : '–'}
      </td>
      <td>
        <Deed word="Drop" to={entry.name ?? name} act={() => call(operations.revokeQueuedTask, { queue_id: key })} />
      </td>
    </tr>
  );
}
