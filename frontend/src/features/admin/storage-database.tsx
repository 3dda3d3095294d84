import { Button } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { databaseSizesQuery } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, count } from '../../ui/format.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import styles from './storage-page.module.css';
import { BeginTask, LastTask } from './storage-task.tsx';

/** So many are shown at first: most of what a database takes is in a few. */
const shownAtFirst = 12;

/** What each table takes, and for the embedded database a way to make it smaller. */
export function StorageDatabase({ isEmbedded }: { isEmbedded: boolean }): ReactNode {
  const { data, error, refetch } = useQuery(databaseSizesQuery);
  const [isWhole, setWhole] = useState(false);
  const tables = data?.tables ?? [];
  return (
    <section aria-labelledby="database" className={styles.part}>
      <h2 id="database">Tables of the database</h2>
      {error && data === undefined ? (
        <ErrorState what="The database does not tell its sizes" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : (
        <div className={cx('card', table.wrap)}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">Table</th>
                <th scope="col" className={cx(styles.size, 'num')}>
                  Rows, about
                </th>
                <th scope="col" className={cx(styles.size, 'num')}>
                  Indexes
                </th>
                <th scope="col" className={cx(styles.size, 'num')}>
                  In all
                </th>
              </tr>
            </thead>
            <tbody>
              {tables.slice(0, isWhole ? undefined : shownAtFirst).map((row) => (
                <tr key={row.name} className={table.row}>
                  <td>
                    <code>{row.name}</code>
                  </td>
                  <td className="num">{row.rows === null ? '–' : count(row.rows)}</td>
                  <td className="num soft">{bytes(row.index_bytes)}</td>
                  <td className="num">{bytes(row.bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!isWhole && tables.length > shownAtFirst && (
        <p>
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
            Show all {count(tables.length)} tables
          </Button>
        </p>
      )}
      {isEmbedded && (
        <>
          <p className={styles.deed}>
            <span className="soft">
              Writing the tables anew gives back what removed rows have left. Whoever uses a table waits meanwhile.
            </span>
            <BeginTask words="Vacuum" begin={() => call(operations.vacuumDatabase, {})} />
          </p>
          <LastTask kind="vacuum_database" />
        </>
      )}
    </section>
  );
}
