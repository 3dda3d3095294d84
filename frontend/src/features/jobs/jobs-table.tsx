import type { Density, JobRow, JobSort } from '@svc/contracts';
import type { ReactNode } from 'react';
import { cx } from '../../ui/class-names.ts';
import { SELECT_WIDTH, SelectAll, SelectRow } from '../../ui/selection/select-rows.tsx';
import type { Selection } from '../../ui/selection/selection.ts';
import { SortHead, type Direction } from '../../ui/sort-head.tsx';
import { Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { columnOf, columnWidth, widthOf, type ColumnKey } from './columns.ts';
import { jobCells } from './job-cells.tsx';
import styles from './jobs-table.module.css';

export interface JobsLayout {
  readonly shown: readonly ColumnKey[];
  readonly density: Density;
  /** Pixels there are; a table that needs more scrolls in its card, where the names of files stay in sight. */
  readonly room: number;
  readonly sorting: Sorting;
}

interface Sorting {
  readonly by: JobSort;
  readonly isReversed: boolean;
  readonly onSort: (by: JobSort) => void;
}

/** Which rows are chosen, and what changes that. */
interface RowSelection {
  readonly selection: Selection<JobRow>;
  /** A range goes from the row touched last to this one. */
  readonly onToggle: (job: JobRow, isRange: boolean) => void;
  readonly onToggleAll: (isChosen: boolean) => void;
}

interface JobsTableProps extends JobsLayout {
  readonly rows: readonly JobRow[];
  /** Absent where the visitor could do nothing with what is chosen. */
  readonly selecting: RowSelection | undefined;
}

/** Jobs as rows; a row opens its job. */
export function JobsTable({ rows, selecting, ...layout }: JobsTableProps) {
  const roomy = layout.density === 'roomy';
  return (
    <Layout
      {...layout}
      selectHead={
        selecting && (
          <SelectAll
            things="jobs"
            chosen={rows.filter(({ job_id: id }) => selecting.selection.rows.has(id)).length}
            of={rows.length}
            onToggleAll={selecting.onToggleAll}
          />
        )
      }
    >
      {rows.map((job) => {
        const isChosen = selecting?.selection.rows.has(job.job_id) ?? false;
        return (
          <tr key={job.job_id} data-id={job.job_id} className={cx(table.row, isChosen && styles.chosen)}>
            {selecting && (
              <td className={styles.select}>
                <SelectRow
                  name={job.filename}
                  isChosen={isChosen}
                  onToggle={(isRange) => selecting.onToggle(job, isRange)}
                />
              </td>
            )}
            {layout.shown.map((key) => {
              const Cell = jobCells[key];
              return (
                <td key={key} className={cellClass(key)}>
                  <Cell job={job} roomy={roomy} />
                </td>
              );
            })}
          </tr>
        );
      })}
    </Layout>
  );
}

/** The table's layout while its rows are on their way. */
export function JobsTableSkeleton({ rows, selectable, ...layout }: JobsLayout & { rows: number; selectable: boolean }) {
  const select = <Skeleton width={14} height={14} />;
  return (
    <div className="card" role="status" aria-busy="true" aria-label="Jobs are loading">
      <Layout {...layout} selectHead={selectable && select}>
        {Array.from({ length: rows }, (_, row) => (
          <tr key={row} className={table.row}>
            {selectable && <td className={styles.select}>{select}</td>}
            {layout.shown.map((key) => (
              <td key={key} className={cellClass(key)}>
                <Skeleton width={key === 'file' ? `${45 + ((row * 17) % 40)}%` : '70%'} />
              </td>
            ))}
          </tr>
        ))}
      </Layout>
    </div>
  );
}

function Layout(props: JobsLayout & { selectHead: ReactNode; children: ReactNode }) {
  const { shown, density, room, sorting, selectHead, children } = props;
  const width = widthOf(shown, density) + (selectHead ? SELECT_WIDTH : 0);
  return (
    <div className={cx(styles.window, room < width && styles.scrolls)}>
      <table
        className={cx(table.table, density === 'roomy' && table.roomy, Boolean(selectHead) && styles.selectable)}
        style={{ minWidth: width }}
      >
        <colgroup>
          {selectHead && <col style={{ width: SELECT_WIDTH }} />}
          {shown.map((key) => (
            <col key={key} {...(key !== 'file' && { style: { width: columnWidth(key, density) } })} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selectHead && (
              <th scope="col" className={styles.select}>
                {selectHead}
              </th>
            )}
            {shown.map((key) => (
              <Head key={key} column={key} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Head({ column: key, sorting: { by, isReversed, onSort } }: { column: ColumnKey; sorting: Sorting }) {
  const { label, hint, sort, isNumber } = columnOf(key);
  if (sort === undefined) {
    return (
      <th scope="col" className={cellClass(key)} data-hint={hint}>
        {label}
      </th>
    );
  }
  // An age goes up where a time goes down.
  const isAge = key === 'age';
  return (
    <SortHead
      label={label}
      hint={hint}
      isNumber={isNumber}
      className={cellClass(key)}
      direction={sort === by ? directionOf(isReversed !== isAge) : undefined}
      first={directionOf(isAge)}
      onSort={() => onSort(sort)}
    />
  );
}

function directionOf(isUp: boolean): Direction {
  return isUp ? 'ascending' : 'descending';
}

function cellClass(key: ColumnKey): string {
  return cx(columnOf(key).isNumber && 'num', key === 'file' && styles.fixed);
}
