import { Button } from '@mantine/core';
import { operations, type CaseDetails } from '@svc/contracts';
import { IconListSearch, IconLock, IconPlus, IconTargetArrow, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { caseJobsQuery, useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { PartPager } from '../../ui/pager.tsx';
import { useRowKeys } from '../../ui/selection/row-keys.ts';
import { SeverityCell } from '../../ui/severity.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import styles from './case-links.module.css';
import { LinkNote } from './link-note.tsx';
import { PickJobs } from './pick-jobs.tsx';

/** The logs of the case, of those that the viewer sees. */
export function CaseJobs({ of }: { of: CaseDetails }) {
  const [page, setPage] = useState(1);
  const [isPicking, setPicking] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  useRowKeys(card, { onSelect: () => undefined, onClear: () => false });
  const list = useQuery(caseJobsQuery(of.id, page));
  const note = useCaseDeed(operations.noteCaseJob);
  const remove = useCaseDeed(operations.removeCaseJob);
  const addEntities = useCaseDeed(operations.addCaseJobEntities);
  const error = note.error ?? remove.error ?? addEntities.error;
  const came = addEntities.data;
  return (
    <>
      <div className={styles.bar}>
        <Link to={paths.jobs} search={{ q: `case:${of.id}` }}>
          Open in Jobs
        </Link>
        <Button variant="default" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setPicking(true)}>
          Add jobs
        </Button>
      </div>
      {error && <Failure error={error} />}
      {came && !error && (
        <Notice tone="good">
          {counted(came.added, 'entity', 'entities')} added
          {came.remaining > 0 && `; ${count(came.remaining)} more of this job can be added`}.
        </Notice>
      )}
      {list.data === undefined ? (
        list.isError ? (
          <ErrorState what="The jobs cannot be read" error={list.error} retry={() => void list.refetch()} />
        ) : (
          <div role="status" aria-busy="true" aria-label="Jobs are loading">
            <Skeleton height={240} />
          </div>
        )
      ) : list.data.total === 0 ? (
        <EmptyState icon={IconListSearch} title="No job that you may see is in this case yet">
          Each log is a job. Add them here, or choose them in the list of jobs, as many as belong together.
        </EmptyState>
      ) : (
        <>
          <div ref={card} className={cx('card', styles.window, list.isPlaceholderData && styles.leaving)}>
            <table className={table.table}>
              <colgroup>
                <col />
                <col className={styles.statusColumn} />
                <col className={styles.severityColumn} />
                <col className={styles.numberColumn} />
                <col className={styles.noteColumn} />
                <col className={styles.addedColumn} />
                <col className={styles.statusColumn} />
              </colgroup>
              <thead>
                <tr>
                  <th scope="col">File</th>
                  <th scope="col">Status</th>
                  <th scope="col">Matches</th>
                  <th scope="col" className="num" data-hint="Entities of the case that it names">
                    Entities
                  </th>
                  <th scope="col">Why it is here</th>
                  <th scope="col">Added</th>
                  <th scope="col">
                    <span className="sr-only">Deeds</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.data.jobs.map((job) => (
                  <tr key={job.id} data-id={job.id} className={table.row}>
                    <td>
                      <Link
                        to={paths.job}
                        params={{ jobId: job.id }}
                        className={styles.file}
                        title={job.filename}
                        data-row
                      >
                        {job.filename}
                      </Link>{' '}
                      {job.is_private && <IconLock size={12} stroke={1.75} aria-label="Private" />}
                    </td>
                    <td>
                      <StatusMark status={job.status} />
                    </td>
                    <td>
                      <SeverityCell summary={job.severity_summary} status={job.status} />
                    </td>
                    <td className="num">{count(job.case_entities)}</td>
                    <td>
                      <LinkNote
                        what={job.filename}
                        note={job.note}
                        canChange={job.can_note}
                        isBusy={note.isPending}
                        onSave={(text, done) =>
                          note.mutate({ id: of.id, job_id: job.id, note: text }, { onSuccess: done })
                        }
                      />
                    </td>
                    <td className="cut">
                      <Age iso={job.added_at} /> <span className="faint">{job.added_by}</span>
                    </td>
                    <td>
                      <button
                        type="button"
                        className={styles.pencil}
                        aria-label={`Add what ${job.filename} names`}
                        data-hint="Add what it names to the case"
                        disabled={addEntities.isPending}
                        onClick={() => addEntities.mutate({ id: of.id, job_id: job.id })}
                      >
                        <IconTargetArrow size={14} stroke={1.75} aria-hidden="true" />
                      </button>
                      {of.can_edit && (
                        <button
                          type="button"
                          className={styles.pencil}
                          aria-label={`Take ${job.filename} out`}
                          data-hint="Take it out of the case"
                          onClick={() => remove.mutate({ id: of.id, job_id: job.id })}
                        >
                          <IconX size={14} stroke={1.75} aria-hidden="true" />
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {list.data.total_pages > 1 && <PartPager part={list.data} rows={list.data.jobs.length} onPage={setPage} />}
        </>
      )}
      {isPicking && <PickJobs id={of.id} onClose={() => setPicking(false)} />}
    </>
  );
}
