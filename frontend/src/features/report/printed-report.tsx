import type { Analytics, FindingRow, JobDetail } from '@svc/contracts';
import { logTypeLabels, otherTactic, severities, tacticsOf, techniquesOf } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { analyticsQuery, useReport } from '../../api/report-source.ts';
import { useTechniqueNames } from '../../ui/attack/use-technique-names.ts';
import { bytes, count, counted, moment, sentence } from '../../ui/format.ts';
import { worstOf } from '../../ui/severity.tsx';
import { attackMatrix, matrixTotals } from './attack/attack-matrix.ts';
import { hourBars } from './timeline/hour-bars.ts';
import styles from './printed-report.module.css';
import { tacticName } from './tactic-names.ts';
import { usePrinting } from '../../ui/use-printing.ts';

interface ReportProps {
  readonly job: JobDetail;
  readonly findings: readonly FindingRow[];
}

/** The report on paper, whichever part of it is open on the screen: verdict, heatmap, hours and all findings. */
export function PrintedReport({ job, findings }: ReportProps) {
  const printing = usePrinting();
  // Asked for now, as a print does not wait.
  const { data } = useQuery(analyticsQuery(useReport()));
  if (!printing) return null;
  const { timeline = [] } = data?.analytics ?? {};
  return (
    <article className={styles.report} data-printed>
      <h1>{job.filename}</h1>
      <Facts job={job} />
      <Verdict job={job} />
      {job.panels.mitre_heatmap && <Heatmap findings={findings} />}
      {timeline.length > 0 && <Hours hours={timeline} />}
      <Findings findings={findings} />
    </article>
  );
}

const time = (iso: string | null): string => (iso === null ? '' : (moment(iso)?.utc ?? iso));

function Facts({ job }: { job: JobDetail }) {
  const packs = job.rules?.packs.map(({ name, version }) => `${name} ${version}`).join(', ');
  const facts: readonly (readonly [string, string])[] = [
    ['Job', `${job.job_id}, ${job.status}, submitted ${time(job.created_at)} UTC by ${job.submitter}`],
    ['SHA-256', job.file.sha256],
    ['File', `${logTypeLabels[job.effective_log_type]}, ${bytes(job.file.size_bytes)}`],
    ['Workflow', job.workflow.name],
    ['Rules', job.rules === null ? 'none' : `${count(job.rules.loaded)} of ${packs}`],
    ['Events read', job.events === null ? 'not known' : count(job.events)],
    ...job.warnings.map((warning) => ['Warning', warning] as const),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name + value}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Verdict({ job }: { job: JobDetail }) {
  const worst = worstOf(job.severity_summary);
  const found = severities.filter((severity) => job.severity_summary[severity] > 0);
  return (
    <section>
      <h2>Verdict: {worst === null ? 'no rule matched' : sentence(worst)}</h2>
      <p>
        {counted(job.total_findings, 'matched event')} of {counted(job.distinct_rules, 'rule')}
        {found.length > 0 && `: ${found.map((one) => `${count(job.severity_summary[one])} ${one}`).join(', ')}`}.
        {job.first_event_at !== null && ` From ${time(job.first_event_at)} to ${time(job.last_event_at)} UTC.`}
      </p>
    </section>
  );
}

function Heatmap({ findings }: { findings: readonly FindingRow[] }) {
  const columns = attackMatrix(findings);
  const names = useTechniqueNames();
  const { most } = matrixTotals(columns);
  if (columns.length === 0) return null;
  return (
    <section>
      <h2>ATT&CK</h2>
      <table className={styles.table}>
        <tbody>
          {columns.map(({ tactic, events, cells }) => (
            <tr key={tactic}>
              <th scope="row">{tactic === otherTactic ? 'No tactic' : tacticName(tactic)}</th>
              <td className="num">{count(events)}</td>
              <td>
                {cells.map((cell) => (
                  <span
                    key={cell.technique}
                    className={styles.cell}
                    style={{ backgroundColor: `rgb(0 0 0 / ${Math.round(4 + (30 * cell.events) / most)}%)` }}
                  >
                    {cell.technique === '' ? 'no technique' : names.full(cell.technique)} {count(cell.events)}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Of the picture, in its own units; it is as wide as the paper. */
const [width, height] = [720, 90];

function Hours({ hours }: { hours: NonNullable<Analytics['timeline']> }) {
  const bars = hourBars(hours, width / 4);
  const fullest = Math.max(...bars.map((bar) => bar.count));
  const step = Math.min(32, width / bars.length);
  return (
    <section className={styles.whole}>
      <h2>Matches by hour, UTC</h2>
      <svg viewBox={`0 0 ${width} ${height + 1}`} className={styles.hours}>
        {bars.map((bar, at) => {
          const tall = Math.max(1, (height * bar.count) / fullest);
          return <rect key={bar.from} x={at * step} y={height - tall} width={Math.max(1, step - 1)} height={tall} />;
        })}
        <line x1={0} x2={width} y1={height + 0.5} y2={height + 0.5} />
      </svg>
      <p>
        {bars[0]!.label} to {bars.at(-1)!.label}; the fullest, {bars.find((bar) => bar.count === fullest)!.label}, has{' '}
        {count(fullest)}. Hours without a match are left out.
      </p>
    </section>
  );
}

function Findings({ findings }: { findings: readonly FindingRow[] }) {
  return (
    <section>
      <h2>{counted(findings.length, 'finding')}</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Severity</th>
            <th>Rule</th>
            <th className="num">Events</th>
            <th>First and last (UTC)</th>
            <th>ATT&CK</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <tr key={finding.id}>
              <td>{sentence(finding.severity)}</td>
              <td>{finding.rule_name}</td>
              <td className="num">{count(finding.count)}</td>
              <td className={styles.time}>
                {time(finding.first_seen)}
                {finding.last_seen !== finding.first_seen && (
                  <>
                    <br />
                    {time(finding.last_seen)}
                  </>
                )}
              </td>
              <td>{[...tacticsOf(finding.tags).map(tacticName), ...techniquesOf(finding.tags)].join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
