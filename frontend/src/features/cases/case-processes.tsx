import type { CaseProcess, CaseProcesses as Answer, ProcessJoinDoubt } from '@svc/contracts';
import { IconBinaryTree } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { caseProcessesQuery } from '../../api/case-story.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { count, counted } from '../../ui/format.ts';
import { ProcessTree } from '../../ui/process-tree/process-tree.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import type { CaseView } from './case-view.ts';
import styles from './case-processes.module.css';

interface ProcessesProps {
  readonly id: number;
  readonly view: CaseView;
  readonly onChange: (changed: { readonly [K in keyof CaseView]?: CaseView[K] | undefined }) => void;
}

/** What keeps two records from being of one process for sure, as a sentence. */
const doubtful: Readonly<Record<ProcessJoinDoubt, string>> = {
  parent: 'one of its records does not say what started it',
  time: 'one of its records has no time',
  clock: 'its records lie farther apart than those of one start do, so that a clock may be off',
  path: 'its records name the program in different folders',
  several: 'another process could be the same as well',
};

/** The processes that all logs of a case tell of, one host after the other, each process once. */
export function CaseProcesses({ id, view, onChange }: ProcessesProps) {
  const { data, error, refetch } = useQuery({
    ...caseProcessesQuery(id, { host: view.host, job: view.job }),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorState what="The processes cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} />;
  return (
    <div className={styles.panel}>
      {data.notices.map((text) => (
        <Notice key={text} tone="info">
          {text}
        </Notice>
      ))}
      {data.jobs_left_out > 0 && (
        <Notice tone="info">
          The logs tell of very many processes: {counted(data.jobs_left_out, 'job')} were left out. Choose one to see
          its own.
        </Notice>
      )}
      {data.forest === null || data.forest.roots.length === 0 ? (
        <div className="card">
          <EmptyState icon={IconBinaryTree} title={titleOf(data)}>
            {data.reason === 'disabled'
              ? 'An administrator has switched off the process tree for the whole site.'
              : 'The tree is made from matched events that tell of a start: Sysmon 1, Security 4688, and records of auditd.'}
          </EmptyState>
        </div>
      ) : (
        <HostTree key={data.host} of={data} roots={data.forest.roots} onHost={(host) => onChange({ host })} />
      )}
    </div>
  );
}

function titleOf({ reason, jobs }: Answer): string {
  if (reason === 'disabled') return 'Process trees are switched off';
  return jobs.length === 0
    ? 'There is no job in this case that you may see'
    : 'No process was started in the matched events of these jobs';
}

function HostTree(props: { of: Answer; roots: readonly CaseProcess[]; onHost: (host: string) => void }) {
  const { of, roots, onHost } = props;
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const host = of.hosts.find(({ name }) => name === of.host);
  const jobs = new Map(of.jobs.map((job) => [job.id, job]));
  const nameOf = (job: number): string => jobs.get(job)?.filename ?? String(job);
  const stats = of.forest!.stats;
  return (
    <ProcessTree
      roots={roots}
      choice={
        <div className={styles.host}>
          <Choice
            label="Host"
            value={of.host ?? ''}
            options={of.hosts.map(({ name, processes, findings }) => [
              name,
              `${name || 'no host named'} · ${counted(processes, 'process', 'processes')}, ${counted(findings, 'finding')}`,
            ])}
            onChange={onHost}
          />
        </div>
      }
      facts={
        <>
          {counted(stats.hits, 'process', 'processes')} of {counted(host?.jobs.length ?? 0, 'log')},
          {(host?.joined ?? 0) > 0 && ` ${count(host!.joined)} told more than once,`}
          {(host?.doubtful ?? 0) > 0 && ` ${count(host!.doubtful)} of them in doubt,`}{' '}
          {counted(stats.inferred, 'ancestor')} inferred
          {stats.truncated && `; only the first ${count(stats.max_nodes)} are shown`}
        </>
      }
      text={text}
      onText={setText}
      findings={of.findings}
      onFinding={(finding) => {
        const job = of.findings.find((one) => one.id === finding)?.job_id;
        if (job !== undefined) void navigate({ to: paths.job, params: { jobId: job }, search: { finding } });
      }}
      renderMark={({ jobs: told, doubts }) => (
        <>
          {told.length > 1 && (
            <span className={styles.logs} data-hint={told.map(nameOf).join(', ')}>
              {told.length} logs
            </span>
          )}
          {doubts.length > 0 && (
            <span className={styles.doubt} data-hint={sentenceOf(doubts)}>
              in doubt
            </span>
          )}
        </>
      )}
      renderMore={({ jobs: told, doubts, image }) => (
        <>
          {told.length > 0 && (
            <div>
              <dt>Told by</dt>
              <dd className={styles.list}>
                {told.map((job) => (
                  <Link key={job} to={paths.job} params={{ jobId: job }} search={{ view: 'processes', find: image }}>
                    {nameOf(job)}
                    {jobs.get(job)?.clock_offset ? ` (clock corrected by ${-jobs.get(job)!.clock_offset} s)` : ''}
                  </Link>
                ))}
              </dd>
            </div>
          )}
          {doubts.length > 0 && (
            <div>
              <dt>In doubt</dt>
              <dd>{sentenceOf(doubts)}</dd>
            </div>
          )}
        </>
      )}
    />
  );
}

function sentenceOf(doubts: readonly ProcessJoinDoubt[]): string {
  return `These may be different processes: ${doubts.map((one) => doubtful[one]).join('; ')}.`;
}
