import { formatValue, isCounting } from '@svc/domain';
import { IconSearchOff } from '@tabler/icons-react';
import type { OutputOf, operations } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { entityFindingsQuery } from '../../api/intel.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
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

/** Findings whose matched events name it, the suppressed ones folded under those that count; a row opens its report. */
export function EntityFindings({ id, job, page, withAliases, onPage }: FindingsProps) {
  const { data, error, refetch } = useQuery(entityFindingsQuery(id, { page, job, withAliases, suppressed: false }));
  if (data === undefined) {
    if (error) return <ErrorState what="The findings cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  return (
    <>
      <ScopeNotices notices={data.notices} />
      {data.total > 0 ? (
        <FindingsTable findings={data.findings} />
      ) : (
        <EmptyState
          icon={IconSearchOff}
          title={data.total_suppressed > 0 ? 'All findings that name it are suppressed' : 'No finding names it'}
        >
          It stands in events that no rule matched, or in jobs that you may not see.
        </EmptyState>
      )}
      <PartPager part={data} rows={data.findings.length} onPage={onPage} />
      {data.total_suppressed > 0 && (
        <SuppressedFindings id={id} job={job} withAliases={withAliases} total={data.total_suppressed} />
      )}
    </>
  );
}

/** Those that count nowhere, which are read once somebody unfolds them. */
function SuppressedFindings({ total, ...asked }: Omit<FindingsProps, 'page' | 'onPage'> & { readonly total: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const [page, setPage] = useState(1);
  const query = entityFindingsQuery(asked.id, { ...asked, page, suppressed: true });
  const { data, error, refetch } = useQuery({ ...query, enabled: isOpen });
  return (
    <section aria-label="Suppressed findings">
      <p className={styles.suppressed}>
        {counted(total, 'suppressed finding')} that {total === 1 ? 'names' : 'name'} it{' '}
        <LinkButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Fold away' : 'Show'}
        </LinkButton>
      </p>
      {isOpen && error && (
        <ErrorState what="The suppressed findings cannot be read" error={error} retry={() => void refetch()} />
      )}
      {isOpen && data !== undefined && (
        <>
          <FindingsTable findings={data.findings} />
          <PartPager part={data} rows={data.findings.length} onPage={setPage} />
        </>
      )}
    </section>
  );
}

type Findings = OutputOf<typeof operations.listEntityFindings>['findings'];

function FindingsTable({ findings }: { readonly findings: Findings }) {
  return (
    <div className={cx('card', styles.table)}>
      <table className={table.table}>
        <colgroup>
          <col style={{ width: 56 }} />
          <col />
          <col style={{ width: 120 }} />
          <col style={{ width: 260 }} />
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
            <th scope="col">Job</th>
            <th scope="col">
              <span className="sr-only">Where else the rule fired</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <tr key={finding.id} className={table.row}>
              <td>
                <SeverityMark severity={finding.severity} />
              </td>
              <td>
                <Link to={paths.job} params={{ jobId: finding.job_id }} search={{ finding: finding.id }}>
                  {finding.rule_name}
                </Link>
                {finding.suppressed > 0 && (
                  <span className={styles.mark}>
                    {isCounting(finding) ? `${count(finding.suppressed)} suppressed` : 'suppressed'}
                  </span>
                )}
              </td>
              <td className="num">{count(finding.count)}</td>
              <td>
                <Link to={paths.job} params={{ jobId: finding.job_id }} data-hint={finding.filename}>
                  {finding.filename}
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
  );
}
