import type { JobVerdict } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { count } from '../../../ui/format.ts';
import { SeverityMark } from '../../../ui/severity.tsx';
import { StatusMark } from '../../../ui/status.tsx';
import table from '../../../ui/table.module.css';
import styles from './batch.module.css';
import { MoreRows, useMoreRows } from './more-rows.tsx';
import { RuleCountCells, RuleCountHeads } from './rule-count-cells.tsx';

/** The files by how bad they are; each opens its report. */
export function BatchFiles({ jobs }: { jobs: readonly JobVerdict[] }) {
  const { rows, ...more } = useMoreRows(jobs);
  return (
    <section aria-labelledby="batch-files">
      <h2 id="batch-files" className={styles.title}>
        Files <span className="faint">{count(jobs.length)}</span>
      </h2>
      <div className={cx('card', styles.card)}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col" className={styles.status}>
                Status
              </th>
              <th scope="col">File</th>
              <RuleCountHeads />
              <th scope="col" className={cx('num', styles.number)}>
                Matches
              </th>
              <th scope="col" className={styles.top}>
                Top finding
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ job_id: jobId, filename, rules, total_findings: matches, top_finding: top, ...job }) => (
              <tr key={jobId} className={table.row}>
                <td>
                  <StatusMark status={job.status} partlyRead={job.partly_read} why={job.error} />
                </td>
                <td className="cut">
                  <Link to={paths.job} params={{ jobId }} data-hint={filename}>
                    {filename}
                  </Link>
                </td>
                <RuleCountCells
                  rules={rules}
                  renderDoor={(severity, text) => (
                    <Link to={paths.job} params={{ jobId }} search={{ severity: [severity] }}>
                      {text}
                    </Link>
                  )}
                />
                <td className="num">{count(matches)}</td>
                <td className="cut">
                  {top ? (
                    <Link to={paths.job} params={{ jobId }} search={{ finding: top.id }} className={styles.finding}>
                      <SeverityMark severity={top.severity} />
                      <span className="cut" data-hint={top.rule_name}>
                        {top.rule_name}
                      </span>
                    </Link>
                  ) : (
                    <span className="faint">–</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows {...more} />
    </section>
  );
}
