import { Button } from '@mantine/core';
import type { JobList, JobRow } from '@svc/contracts';
import { parseSearch } from '@svc/domain';
import { IconListSearch, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useRef, useState } from 'react';
import type { JobSearch } from '../../api/queries.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { totalOf } from '../../ui/format.ts';
import { Pager } from '../../ui/pager.tsx';
import { useRowKeys } from '../../ui/selection/row-keys.ts';
import {
  changedSelection,
  nothing,
  reaching,
  toggled,
  withAll,
  type Row,
  type Selection,
} from '../../ui/selection/selection.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import styles from './jobs-page.module.css';
import { JobsTable, JobsTableSkeleton, type JobsLayout } from './jobs-table.tsx';
import { foundJobs } from './found-jobs.ts';
import { isNarrowed } from './jobs-view.ts';
import { mostJobs } from '../../api/job-limits.ts';
import { SelectionBar, type TagPickerPart } from './selection-bar.tsx';
import type { Settled } from './use-settled-jobs.ts';

interface JobsResultProps {
  readonly jobs: UseQueryResult<JobList>;
  /** Null before there was a first answer. */
  readonly settled: Settled | null;
  readonly per: number;
  readonly search: JobSearch;
  readonly layout: JobsLayout;
  /** The visitor can do something with chosen jobs. */
  readonly canSelect: boolean;
  readonly TagPicker: TagPickerPart;
  readonly onClearSearch: () => void;
  readonly onPage: (page: number, cursor?: string) => void;
}

/** The jobs of the list in their table, live without jumping, and what is done with those chosen. */
export function JobsResult(props: JobsResultProps) {
  const { jobs, settled, per, search, layout, canSelect, TagPicker, onClearSearch, onPage } = props;
  const [selection, setSelection] = useState<Selection<JobRow>>(nothing);
  const card = useRef<HTMLDivElement>(null);
  const rows = settled?.rows ?? [];
  const total = jobs.data?.total ?? 0;
  const toggle = (job: JobRow, isRange: boolean) =>
    setSelection((now) => (isRange ? reaching(now, asRow(job), rows.map(asRow)) : toggled(now, asRow(job))));
  const clear = () => (selection.rows.size > 0 ? setSelection(nothing) : false);
  useRowKeys(card, {
    onSelect(id, isRange) {
      const job = rows.find(({ job_id: other }) => other === id);
      if (canSelect && job) toggle(job, isRange);
    },
    onClear: clear,
  });

  if (settled === null || (settled.isLeaving && jobs.isError)) {
    return jobs.isError ? (
      <ErrorState what="The jobs cannot be listed" error={jobs.error} retry={() => void jobs.refetch()} />
    ) : (
      <JobsTableSkeleton {...layout} rows={per} selectable={canSelect} />
    );
  }
  if (jobs.data && total === 0)
    return isNarrowed(search) ? <NothingFound q={search.q} onClear={onClearSearch} /> : <NoJobs />;
  const selecting = {
    selection,
    onToggle: toggle,
    onToggleAll: (isChosen: boolean) => setSelection((now) => withAll(now, rows.map(asRow), isChosen)),
  };
  const patch = (change: (job: JobRow) => JobRow) => {
    settled.patch(change);
    setSelection((now) => changedSelection(now, change));
  };
  return (
    <>
      <div ref={card} className={cx('card', styles.card, settled.isLeaving && styles.leaving)}>
        {jobs.isError && (
          <p className={styles.stale} role="status">
            <IconPlugConnectedX size={16} stroke={1.75} aria-hidden="true" /> The service does not answer at the moment;
            this is what it last said.
          </p>
        )}
        <JobsTable {...layout} rows={rows} selecting={canSelect ? selecting : undefined} />
      </div>
      {jobs.data && (
        <Pager
          page={jobs.data.page}
          per={jobs.data.per}
          rows={jobs.data.jobs.length}
          total={totalOf(jobs.data)}
          // Numbers lead no deeper than the total was counted.
          isByCursor={jobs.data.total_is_floor}
          older={jobs.data.older}
          newer={jobs.data.newer}
          onPage={onPage}
        />
      )}
      {canSelect && (
        <SelectionBar
          TagPicker={TagPicker}
          jobs={[...selection.rows.values()]}
          patch={patch}
          rest={rows.every(({ job_id: id }) => selection.rows.has(id)) ? total - selection.rows.size : 0}
          onSelectRest={async () => {
            const found = await foundJobs(search, Math.min(total, mostJobs.tags));
            setSelection((now) => withAll(now, found.map(asRow), true));
          }}
          onClear={clear}
          onDeleted={() => {
            setSelection(nothing);
            settled.reopen();
          }}
        />
      )}
    </>
  );
}

function asRow(job: JobRow): Row<JobRow> {
  return [job.job_id, job];
}

function NoJobs() {
  return (
    <EmptyState
      icon={IconListSearch}
      title="No jobs yet"
      action={<Button renderRoot={(props) => <Link to={paths.submit} {...props} />}>Submit a log</Button>}
    >
      Every submitted log becomes a job, and its report stays here.
    </EmptyState>
  );
}

/** What stands where a key does, but is none. */
function unknownKeys(q: string): string[] {
  const words = parseSearch(q).terms.flatMap(({ key, values }) => (key === null ? values : []));
  return [...new Set(words.flatMap((word) => /^[a-z][\w.-]*:/i.exec(word)?.[0] ?? []))];
}

function NothingFound({ q, onClear }: { q: string; onClear: () => void }) {
  const unknown = unknownKeys(q);
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No job is met by this search"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      <p>
        All terms must hold at once: take one out, or write several values for one, as in{' '}
        <code>status:failed,partial</code>. A name is found by a part of it; with <code>*</code> it is the whole name.
      </p>
      {unknown.length > 0 && (
        <p>
          {unknown.length === 1 ? 'This is no key, so it was' : 'These are no keys, so they were'} looked for in names:{' '}
          {unknown.map((key, place) => (
            <Fragment key={key}>
              {place > 0 && ', '}
              <code>{key}</code>
            </Fragment>
          ))}
        </p>
      )}
    </EmptyState>
  );
}
