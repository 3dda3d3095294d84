import { formatValue } from '@svc/domain';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { entityFindingsQuery } from '../../api/intel.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import { PartPager } from '../../ui/pager.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { ScopeNotices } from './entity-scope.tsx';
import styles from './entity-findings.module.css';

interface FindingsProps {
  readonly id: number;
  readonly job: number | undefined;
  readonly page: number;
  readonly withAliases: boolean;
  readonly onPage: (page: number) => void;
}

/** Findings whose matched events name it; a row opens the finding in its report. */
export function EntityFindings({ id, job, page, withAliases, onPage }: FindingsProps) {
  const { data, error, refetch } = useQuery(entityFindingsQuery(id, { page, job, withAliases }));
  if (data === undefined) {
    if (error) return <ErrorState what="The findings cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  if (data.total === 0) {
    return (
      <EmptyState icon={IconSearchOff} title="No finding names it">
        It stands in events that no rule matched, or in jobs that you may not see.
      </EmptyState>
    );
  }
  return (
    <>
      <ScopeNotices notices={data.notices} />
      <div className={cx('card', styles.table)}>
        <table className={table.table}>
          <colgroup>
            <col style={{ width: 56 }} />
            <col />
            <col style={{ width: 120 }} />
            <col style={{ width: 96 }} />
            <col style={{ width: 112 }} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Severity</span>
              </th>
              <th scope="col">Rule</th>
              <th scope="col" className="num">
                Matched events
              </th>
              <th scope="col" className="num">
                Job
              </th>
              <th scope="col">
                <span className="sr-only">Where else the rule fired</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.findings.map((finding) => (
              <tr key={finding.id} className={table.row}>
                <td>
                  <SeverityMark severity={finding.severity} />
                </td>
                <td>
                  <Link to={paths.job} params={{ jobId: finding.job_id }} search={{ finding: finding.id }}>
                    {finding.rule_name}
                  </Link>
                </td>
                <td className="num">{count(finding.count)}</td>
                <td className="num">
                  <Link to={paths.job} params={{ jobId: finding.job_id }}>
                    #{finding.job_id}
                  </Link>
                </td>
                <td>
                  <Link
                    to={paths.jobs}
                    search={{ q: `rule:${formatValue(finding.rule_id ?? finding.rule_name)}` }}
                    aria-label={`Other jobs in which ${finding.rule_name} fired`}
                  >
                    Other jobs
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <PartPager part={data} rows={data.findings.length} onPage={onPage} />
    </>
  );
}
