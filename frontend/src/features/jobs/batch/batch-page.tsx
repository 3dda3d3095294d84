import { Button } from '@mantine/core';
import { RequestError, type BatchVerdict } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { IconFolderPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { askForCase } from '../../../api/adding-to-case.ts';
import { useMe } from '../../../api/session.ts';
import { batchQuery } from '../../../api/verdicts.ts';
import { paths } from '../../../paths.ts';
import { FilterChip } from '../../../ui/filter-chip.tsx';
import { count, counted, sentence } from '../../../ui/format.ts';
import { NotFound } from '../../../ui/not-found.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Age } from '../../../ui/time.tsx';
import styles from './batch.module.css';
import type { BatchChange } from './batch-view.ts';
import { BatchCounts } from './batch-counts.tsx';
import { BatchFiles } from './batch-files.tsx';
import { BatchHosts } from './batch-hosts.tsx';
import { BatchRules } from './batch-rules.tsx';
import { narrowed } from './narrowed.ts';

const route = getRouteApi(paths.batch);

/** So many numbers of jobs fit into a search. */
const mostInSearch = 150;

/** What files that were submitted together came to: rules, hosts and files, worst first. */
export function BatchPage() {
  const { batchId } = route.useParams();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const role = useMe()?.role;
  const { data: batch, error, refetch } = useQuery(batchQuery(batchId));
  const change = (changes: BatchChange) =>
    void navigate({
      search: (now) => Object.fromEntries(Object.entries({ ...now, ...changes }).filter(([, value]) => value)),
      resetScroll: false,
    });
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  if (error && !batch) {
    return <ErrorState whole what="The batch cannot be shown" error={error} retry={() => void refetch()} />;
  }
  const shown = batch && narrowed(batch, view);
  return (
    <div className={styles.page}>
      <title>{`Batch ${batchId} · svc`}</title>
      <PageHead title={batch ? `Batch of ${counted(batch.jobs.length, 'file')}` : `Batch ${batchId}`}>
        {batch && (role === 'member' || role === 'admin') && (
          <Button
            variant="default"
            leftSection={<IconFolderPlus size={14} stroke={1.75} />}
            onClick={() => askForCase({ jobs: batch.jobs.map(({ job_id: id }) => id) })}
          >
            Make it a case
          </Button>
        )}
        {batch && batch.jobs.length <= mostInSearch && (
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link
                to={paths.jobs}
                search={{ q: `id:${batch.jobs.map(({ job_id: id }) => id).join(',')}`, sort: 'severity' }}
                {...props}
              />
            )}
          >
            Open in Jobs
          </Button>
        )}
      </PageHead>
      {batch && shown ? (
        <>
          <Headline batch={batch} />
          <BatchCounts batch={batch} view={view} onChange={change} />
          <Filters view={view} onChange={change} />
          <BatchRules batch={batch} rules={shown.rules} view={view} onChange={change} />
          <BatchHosts hosts={shown.hosts} unknown={batch.findings_without_hosts} onChange={change} />
          <BatchFiles jobs={shown.jobs} />
        </>
      ) : (
        <div role="status" aria-busy="true" aria-label="The batch is loading">
          <Skeleton height={480} />
        </div>
      )}
    </div>
  );
}

/** What was found, and how many of the files are still analysed. */
function Headline({ batch }: { batch: BatchVerdict }) {
  const { jobs, rules, matches } = batch;
  const ended = jobs.filter(({ status }) => isTerminal(status)).length;
  const hit = jobs.filter(({ total_findings: found }) => found > 0).length;
  const what =
    rules.length === 0
      ? 'No rule matched'
      : `${counted(rules.length, 'rule')} matched ${counted(matches, 'time')} in ${count(hit)} of ${counted(ended, 'log')}`;
  return (
    <div className={styles.headline}>
      <p>
        <strong>{what}</strong>
        {batch.has_running && ' so far'}
        <span className="soft">
          {' '}
          · {batch.submitter}, <Age iso={batch.created_at} />
        </span>
      </p>
      {batch.has_running && (
        <div className={styles.running} role="status">
          <span className="soft">
            {count(ended)} of {counted(jobs.length, 'file')} analysed
          </span>
          <Progress label="Files analysed" done={ended} total={jobs.length} />
        </div>
      )}
    </div>
  );
}

function Filters({ view, onChange }: { view: BatchChange; onChange: (changes: BatchChange) => void }) {
  const { severity, tactic, host } = view;
  if (severity === undefined && tactic === undefined && host === undefined) return null;
  return (
    <div className={styles.filters}>
      {severity && <FilterChip text={sentence(severity)} onRemove={() => onChange({ severity: undefined })} />}
      {tactic && (
        <FilterChip text={sentence(tactic.replaceAll('_', ' '))} onRemove={() => onChange({ tactic: undefined })} />
      )}
      {host && <FilterChip text={host} onRemove={() => onChange({ host: undefined })} />}
    </div>
  );
}
