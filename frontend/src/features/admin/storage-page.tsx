import { Button } from '@mantine/core';
import type { Storage } from '@svc/contracts';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countStorage, storageQuery } from '../../api/admin.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { bytes, counted } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import { StorageDatabase } from './storage-database.tsx';
import { StorageOrphans } from './storage-orphans.tsx';
import styles from './storage-page.module.css';
import { StorageRetention } from './storage-retention.tsx';

/** What takes room and how long it is kept, and what can be done about it. */
export function StoragePage(): ReactNode {
  const { data, error, refetch } = useQuery(storageQuery);
  const again = useMutation({ mutationFn: countStorage });
  return (
    <>
      <title>Storage · svc</title>
      <PageHead title="Storage">
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          Count again
        </Button>
      </PageHead>
      {again.error && <Failure error={again.error} />}
      {data === undefined && error ? (
        <ErrorState what="The storage cannot be looked at" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={420} />
      ) : (
        <>
          <Usage storage={data} />
          <LargestJobs storage={data} />
          <StorageOrphans storage={data} />
          <StorageRetention rows={data.retention} />
          <StorageDatabase isEmbedded={data.embedded_db} />
        </>
      )}
    </>
  );
}

function Usage({ storage }: { storage: Storage }) {
  const { db, disk, walk } = storage;
  const parts = [
    { name: 'Uploads', size: storage.uploads_bytes, tone: styles.uploads },
    { name: 'Raw outputs and sample events', size: storage.outputs_bytes, tone: styles.outputs },
    { name: 'Rule packs', size: storage.packs_bytes, tone: styles.packs },
    { name: 'Database', size: db.bytes, tone: styles.database },
  ];
  const all = parts.reduce((sum, { size }) => sum + size, 0);
  return (
    <section aria-labelledby="usage" className={styles.part}>
      <h2 id="usage">What takes room</h2>
      <div className={cx('card', styles.usage)}>
        <div className={styles.bar} aria-hidden="true">
          {parts.map(({ name, size, tone }) => (
            <span key={name} className={tone} style={{ flexGrow: size }} />
          ))}
        </div>
        <ul className={styles.legend}>
          {parts.map(({ name, size, tone }) => (
            <li key={name}>
              <span className={cx(styles.dot, tone)} aria-hidden="true" />
              {name} <strong>{bytes(size)}</strong>
            </li>
          ))}
        </ul>
        <p className="soft" role="status">
          {bytes(all)} in all
          {disk === null
            ? '; the store has no bound of its own'
            : `; ${bytes(disk.free)} of ${bytes(disk.total)} free on the disk of the store`}
          .{' '}
          {walk.ended_at === null ? (
            <>Still counting: {counted(walk.objects, 'object')} so far.</>
          ) : (
            <>
              {counted(walk.objects, 'object')}, counted <Age iso={walk.ended_at} />.
            </>
          )}
        </p>
      </div>
    </section>
  );
}

function LargestJobs({ storage: { largest_jobs: jobs, walk } }: { storage: Storage }) {
  return (
    <section aria-labelledby="largest" className={styles.part}>
      <h2 id="largest">Largest jobs</h2>
      {jobs.length === 0 ? (
        <p className="soft">{walk.ended_at === null ? 'Told once all is counted.' : 'There is no job yet.'}</p>
      ) : (
        <div className={cx('card', table.wrap)}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">File</th>
                <th scope="col" className={cx(styles.size, 'num')}>
                  File and outputs
                </th>
              </tr>
            </thead>
            <tbody>
              {jobs.map(({ job_id: id, filename, bytes: size }) => (
                <tr key={id} className={table.row}>
                  <td data-hint={filename}>
                    <Link to={paths.job} params={{ jobId: id }}>
                      {filename}
                    </Link>{' '}
                    <span className="faint">#{id}</span>
                  </td>
                  <td className="num">{bytes(size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
