import type { ProcessNode } from '@svc/contracts';
import { IconBinaryTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { entityProcessesQuery, entityScopesQuery } from '../../api/intel.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { counted } from '../../ui/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { ScopeNotices } from './entity-scope.tsx';
import styles from './entity-processes.module.css';

interface ProcessesProps {
  readonly id: number;
  readonly job: number | undefined;
  readonly onJob: (job: number | undefined) => void;
}

/** Processes of one job that are it or name it, with those that started them and that they started. */
export function EntityProcesses({ id, job, onJob }: ProcessesProps) {
  const { data: jobs } = useQuery(entityScopesQuery(id));
  const newest = jobs?.jobs[0]?.id;
  // A tree is of one log: the newest until another is chosen.
  useEffect(() => {
    if (job === undefined && newest !== undefined) onJob(newest);
  }, [job, newest, onJob]);
  const { data, error, refetch } = useQuery({ ...entityProcessesQuery(id, job), enabled: job !== undefined });
  if (jobs?.total === 0) {
    return (
      <EmptyState icon={IconBinaryTree} title="No job that you may see names it">
        The tree is that of one log.
      </EmptyState>
    );
  }
  if (error) return <ErrorState what="The processes cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined || jobs === undefined) return <Skeleton height={240} />;
  return (
    <>
      {data.forest && (
        <p className={cx(styles.amount, 'soft')}>
          {counted(data.forest.stats.matched, 'process', 'processes')} of {data.forest.stats.source_processes} in the
          report
        </p>
      )}
      <ScopeNotices notices={data.notices} />
      {data.forest === null || data.forest.roots.length === 0 ? (
        <EmptyState icon={IconBinaryTree} title={titleOf(data)}>
          {data.reason === 'disabled'
            ? 'An administrator has switched off the process tree for the whole site.'
            : 'The tree is made from matched events that tell of a start: Sysmon 1, Security 4688, and records of auditd.'}
        </EmptyState>
      ) : (
        <section className={cx('card', styles.card)} aria-label="Processes">
          <Nodes nodes={data.forest.roots} job={job!} />
        </section>
      )}
    </>
  );
}

function titleOf({
  forest,
  reason,
}: {
  forest: { stats: { source_processes: number } } | null;
  reason: string | null;
}) {
  if (reason === 'disabled') return 'Process trees are switched off';
  if (reason === 'job_required') return 'Choose one of its jobs';
  const of = forest?.stats.source_processes ?? 0;
  return of === 0
    ? 'No process events in this job'
    : `None of the ${counted(of, 'process', 'processes')} of this job mentions it`;
}

function Nodes({ nodes, job }: { nodes: readonly ProcessNode[]; job: number }) {
  return (
    <ul className={styles.nodes}>
      {nodes.map((node, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the tree does not change, and not all have a GUID
        <li key={`${node.guid} ${place}`}>
          <div className={styles.node}>
            <Link
              to={paths.job}
              params={{ jobId: job }}
              search={{ view: 'processes', find: node.image }}
              className={cx(styles.image, node.match && styles.match)}
              data-hint={node.image_full || node.image}
            >
              {node.image || 'unknown'}
            </Link>
            {node.match && <span className="sr-only">, it matches</span>}
            {node.pid !== '' && <span className="faint">{node.pid}</span>}
            <code className={cx(styles.line, 'cut')} data-hint={node.cmdline || undefined}>
              {node.cmdline}
            </code>
            <span className={cx(styles.user, 'faint')}>{node.user}</span>
            <span className={cx(styles.time, 'faint')}>{node.time.slice(0, 19)}</span>
          </div>
          {node.children.length > 0 && <Nodes nodes={node.children} job={job} />}
        </li>
      ))}
    </ul>
  );
}
