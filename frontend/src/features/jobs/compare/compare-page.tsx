import { IconArrowsExchange } from '@tabler/icons-react';
import { RequestError, type JobComparison, type JobVerdict } from '@svc/contracts';
import { severities, type SeveritySummary } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { comparisonQuery } from '../../../api/verdicts.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { count, counted } from '../../../ui/format.ts';
import { NotFound } from '../../../ui/not-found.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { StatusMark } from '../../../ui/status.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import table from '../../../ui/table.module.css';
import { Age } from '../../../ui/time.tsx';
import { ChooseOther } from './choose-other.tsx';
import styles from './compare.module.css';

const route = getRouteApi(paths.compare);
type Rule = JobComparison['rules'][number];

/** Two jobs side by side: what matched in one of them alone, and in both. */
export function ComparePage() {
  const { a, b } = route.useSearch();
  return (
    <div className={styles.page}>
      <title>Compare jobs · svc</title>
      {a === undefined ? (
        <>
          <PageHead title="Compare jobs" />
          <EmptyState icon={IconArrowsExchange} title="Choose two jobs">
            <p>
              Select two in the <Link to={paths.jobs}>list of jobs</Link>, and compare them from the bar below it; or
              compare a job from the actions of its report.
            </p>
          </EmptyState>
        </>
      ) : b === undefined ? (
        <ChooseOther job={a} />
      ) : (
        <Comparison a={a} b={b} />
      )}
    </div>
  );
}

function Comparison({ a, b }: { a: number; b: number }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(comparisonQuery(a, b));
  if (error instanceof RequestError && error.status === 404) return <NotFound />;
  if (error) {
    return <ErrorState whole what="The jobs cannot be compared" error={error} retry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <div role="status" aria-busy="true" aria-label="The comparison is loading">
        <PageHead title="Compare jobs" />
        <Skeleton height={320} />
      </div>
    );
  }
  const shown = data.rules.filter((rule) => show === undefined || partOf(rule) === show);
  return (
    <>
      <PageHead title="Compare jobs">
        <Switcher
          label="Rules shown"
          value={show ?? 'all'}
          options={[
            ['all', `All ${count(data.rules.length)}`],
            ['a', `Only in A ${sumOf(data.only_a)}`],
            ['b', `Only in B ${sumOf(data.only_b)}`],
            ['both', `In both ${sumOf(data.both)}`],
          ]}
          onChange={(chosen) =>
            void navigate({
              search: { a, b, ...(chosen !== 'all' && { show: chosen }) },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </PageHead>
      <div className={styles.sides}>
        <Side letter="A" job={data.a} only={data.only_a} />
        <Side letter="B" job={data.b} only={data.only_b} />
      </div>
      {shown.length > 0 ? <Rules rules={shown} a={data.a} b={data.b} /> : <p className="soft">No rule matched here.</p>}
      {data.hosts.length > 0 && <Hosts comparison={data} />}
    </>
  );
}

function Side({ letter, job, only }: { letter: string; job: JobVerdict; only: SeveritySummary }) {
  return (
    <section className={cx('card', styles.side)} aria-label={`Job ${letter}`}>
      <p className={styles.file}>
        <strong>{letter}</strong>
        <Link to={paths.job} params={{ jobId: job.job_id }} className={styles.name}>
          {job.filename}
        </Link>
      </p>
      <p className="soft">
        <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} /> · job {job.job_id},{' '}
        <Age iso={job.created_at} /> · {counted(sumOf(job.rules), 'rule')},{' '}
        {counted(job.total_findings, 'match', 'matches')}
      </p>
      <p>
        Only here: {counted(sumOf(only), 'rule')}
        {severities
          .filter((severity) => only[severity] > 0)
          .map((severity) => (
            <span key={severity} className={styles.count}>
              <SeverityMark severity={severity} /> {count(only[severity])}
            </span>
          ))}
      </p>
    </section>
  );
}

function Rules({ rules, a, b }: { rules: readonly Rule[]; a: JobVerdict; b: JobVerdict }) {
  return (
    <div className={cx('card', styles.card)}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col" className={styles.where}>
              In
            </th>
            <th scope="col" className={cx('num', styles.number)} data-hint={a.filename}>
              Matches in A
            </th>
            <th scope="col" className={cx('num', styles.number)} data-hint={b.filename}>
              Matches in B
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.signature} className={table.row}>
              <td>
                <span className={styles.rule}>
                  <SeverityMark severity={rule.severity} />
                  <span className="cut" data-hint={rule.rule_name}>
                    {rule.rule_name}
                  </span>
                </span>
              </td>
              <td className="soft">{partNames[partOf(rule)]}</td>
              <td className="num">
                <Matches job={a} side={rule.a} />
              </td>
              <td className="num">
                <Matches job={b} side={rule.b} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The matches of a rule in one job, which lead to its report at them. */
function Matches({ job, side }: { job: JobVerdict; side: Rule['a'] }) {
  if (side === null) return <span className="faint">–</span>;
  return (
    <Link to={paths.job} params={{ jobId: job.job_id }} search={{ finding: side.finding_id }}>
      {count(side.matches)}
    </Link>
  );
}

/** Hosts and the rules that matched on them in each job. */
function Hosts({ comparison: { hosts, a, b } }: { comparison: JobComparison }) {
  return (
    <section aria-labelledby="compared-hosts">
      <h2 id="compared-hosts" className={styles.title}>
        Hosts <span className="faint">{count(hosts.length)}</span>
      </h2>
      <div className={cx('card', styles.card)}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col" className={cx('num', styles.number)}>
                In A
              </th>
              <th scope="col" className={cx('num', styles.number)}>
                In B
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ host, a: inA, b: inB }) => (
              <tr key={host} className={table.row}>
                <td>{host}</td>
                <td className="num">
                  <OnHost job={a} host={host} rules={inA} />
                </td>
                <td className="num">
                  <OnHost job={b} host={host} rules={inB} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The rules that matched on a host in one job, which lead to its report of that host. */
function OnHost({ job, host, rules }: { job: JobVerdict; host: string; rules: SeveritySummary | null }) {
  if (rules === null) return <span className="faint">–</span>;
  return (
    <Link to={paths.job} params={{ jobId: job.job_id }} search={{ host }}>
      {counted(sumOf(rules), 'rule')}
    </Link>
  );
}

const partNames = { a: 'Only A', b: 'Only B', both: 'Both' } as const;

function partOf(rule: Rule): keyof typeof partNames {
  if (rule.b === null) return 'a';
  return rule.a === null ? 'b' : 'both';
}

function sumOf(counts: SeveritySummary): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
}
