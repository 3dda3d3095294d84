import { techniqueName } from '@svc/domain';
import {
  IconBinaryTree,
  IconFileSearch,
  IconFilter,
  IconFilterMinus,
  IconListSearch,
  IconWorldQuestion,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { jobsQuery } from '../../../api/queries.ts';
import { namingQuery, useReport } from '../../../api/report-source.ts';
import { paths } from '../../../paths.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { doorKindNames, type DoorValue } from '../../../ui/door-value.ts';
import { counted, totalOf } from '../../../ui/format.ts';
import { Peek } from '../../../ui/peek.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { StatusMark } from '../../../ui/status.tsx';
import { hasValue, toggledValue } from '../job-view.ts';
import { useJobView } from '../use-job-view.ts';
import { jobsTerm } from './jobs-term.ts';
import { KnownEntity } from './known-entity.tsx';
import styles from './value-peek.module.css';

interface PeekProps {
  readonly value: DoorValue;
  /** What the report has to lead to. */
  readonly views: readonly string[];
  readonly onClose: () => void;
}

/** A value of a report: what can be done with it here, and where else it was found. */
export function ValuePeek({ value: door, views, onClose }: PeekProps) {
  const [view, change] = useJobView();
  const { kind, value } = door;
  const isOnly = hasValue(view, 'only', door);
  const isNot = hasValue(view, 'not', door);
  const find = (where: 'entities' | 'processes') => change({ view: where, find: value });
  const canFind = kind !== 'rule' && kind !== 'technique';
  const title = kind === 'technique' ? techniqueName(value) : undefined;
  return (
    <Peek label={`${doorKindNames[kind]} ${value}`} onClose={onClose}>
      <header className={styles.head}>
        <span className={styles.kind}>{doorKindNames[kind]}</span>
        <p className={styles.value}>
          {kind === 'rule' ? value : <code>{value}</code>} <CopyButton text={value} what="value" />
        </p>
        {title !== undefined && <p className="soft">{title}</p>}
        {canFind && <Here door={door} />}
      </header>
      <div className={styles.deeds} role="group" aria-label="This report">
        <Deed
          icon={IconFilter}
          pressed={isOnly}
          onClick={() => change({ ...toggledValue(view, 'only', door), view: undefined })}
        >
          {isOnly ? 'Show the whole report again' : 'Filter this report by it'}
        </Deed>
        <Deed
          icon={IconFilterMinus}
          pressed={isNot}
          onClick={() => change({ ...toggledValue(view, 'not', door), view: undefined })}
        >
          {isNot ? 'Exclude it no more' : 'Exclude it from this report'}
        </Deed>
        {canFind && views.includes('processes') && (
          <Deed icon={IconBinaryTree} onClick={() => find('processes')}>
            Find in the process tree
          </Deed>
        )}
        {canFind && views.includes('entities') && (
          <Deed icon={IconListSearch} onClick={() => find('entities')}>
            Find among the entities
          </Deed>
        )}
      </div>
      <Whereabouts door={door} />
      <OtherJobs door={door} />
    </Peek>
  );
}

function Deed(props: { icon: Icon; pressed?: boolean; onClick: () => void; children: string }) {
  const { icon: Sign, pressed, onClick, children } = props;
  return (
    <button type="button" className={styles.deed} aria-pressed={pressed} onClick={onClick}>
      <Sign size={16} stroke={1.75} aria-hidden="true" />
      {children}
    </button>
  );
}

/** How many findings of this report name it. */
function Here({ door }: { door: DoorValue }) {
  const { data } = useQuery(namingQuery(useReport(), door.value));
  if (data === undefined) return null;
  return (
    <p className="soft" role="status">
      {data.findings.length === 0
        ? 'Named by no kept event of a finding'
        : `Named by ${counted(data.findings.length, 'finding')} here`}
    </p>
  );
}

/** Of a report of this browser nothing is asked unasked. */
function Whereabouts({ door }: { door: DoorValue }) {
  const { jobId } = useReport();
  return jobId === null ? null : <KnownEntity door={door} />;
}

/** Other jobs with it that the viewer may see; a report of this browser asks the service only when told to. */
function OtherJobs({ door }: { door: DoorValue }) {
  const { jobId } = useReport();
  const [isAsked, setAsked] = useState(jobId !== null);
  const term = jobsTerm(door);
  if (term === null) return null;
  return (
    <section className={styles.jobs} aria-label="Other jobs">
      <h3 className={styles.title}>Other jobs</h3>
      {isAsked ? (
        <FoundJobs term={jobId === null ? term : `${term} -id:${jobId}`} />
      ) : (
        <>
          <p className="soft">
            This log stays in the browser. To look for jobs, the value alone is sent to the service.
          </p>
          <Deed icon={IconWorldQuestion} onClick={() => setAsked(true)}>
            Look for it in jobs
          </Deed>
        </>
      )}
    </section>
  );
}

const fewJobs = 5;

function FoundJobs({ term }: { term: string }) {
  const { data, isError, fetchStatus } = useQuery(jobsQuery(1, { q: term, tags: [] }));
  if (isError || (data === undefined && fetchStatus === 'paused'))
    return <p className="soft">The service cannot be asked now.</p>;
  if (data === undefined) return <Skeleton width="60%" />;
  if (data.total === 0) return <p className="soft">In no other job that you may see.</p>;
  return (
    <>
      <ul className={styles.list}>
        {data.jobs.slice(0, fewJobs).map(({ job_id: id, filename, status }) => (
          <li key={id}>
            <Link to={paths.job} params={{ jobId: id }} className={styles.job}>
              <span className="cut">{filename}</span>
              <StatusMark status={status} />
              <span className="faint">#{id}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to={paths.jobs} search={{ q: term }} className={styles.deed}>
        <IconFileSearch size={16} stroke={1.75} aria-hidden="true" />
        {data.total === 1 ? 'Show it in the jobs list' : `All ${totalOf(data)} jobs with it`}
      </Link>
    </>
  );
}
