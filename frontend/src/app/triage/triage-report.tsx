import type { JobDetail, TriagePlan } from '@svc/contracts';
import { logTypeLabels } from '@svc/domain';
import { useMemo } from 'react';
import { ReportProvider } from '../../api/report-source.ts';
import { localReport } from '../../api/triage/local-report.ts';
import type { LocalReport } from '../../api/triage/messages.ts';
import { Fact, FactsCard, UsedRules } from '../../features/report/file-facts.tsx';
import { Damage } from '../../features/report/job-notices.tsx';
import { ReportTabs } from '../../features/report/report-tabs.tsx';
import { VerdictCard, type Judged } from '../../features/report/verdict-card.tsx';
import { bytes, count, duration } from '../../ui/format.ts';
import styles from '../../features/report/report-page.module.css';

interface ReportProps {
  readonly id: number;
  readonly file: File;
  readonly report: LocalReport;
  readonly plan: TriagePlan;
}

/** The report of a log that was analysed here, in the form of a job's. */
export function TriageReport({ id, file, report, plan }: ReportProps) {
  const source = useMemo(() => localReport(id, report), [id, report]);
  const rules = plan.tasks[0]?.rules ?? null;
  return (
    <>
      {report.warnings.length > 0 && <Damage warnings={report.warnings} />}
      <div className={styles.summary}>
        <VerdictCard job={judged(report, rules)} />
        <FactsCard>
          <Fact name="Type">{logTypeLabels[report.logType]}</Fact>
          <Fact name="Size">{bytes(file.size)}</Fact>
          <Fact name="Workflow">{plan.workflow.name}</Fact>
          <Fact name="Events read">{count(report.events)}</Fact>
          <Fact name="Rules">
            <UsedRules rules={rules} />
          </Fact>
          <Fact name="Duration">{duration(report.durationMs)}</Fact>
          {plan.shipped_rules_only && (
            <Fact name="Left out" wide>
              Rules that this site has of its own: sign in to have them applied here, or submit the log
            </Fact>
          )}
          {plan.elsewhere.length > 0 && (
            <Fact name="Not run here" wide>
              <span data-hint="These engines run at the service only; submit the log for what they find">
                {plan.elsewhere.join(', ')}
              </span>
            </Fact>
          )}
        </FactsCard>
      </div>
      {report.findings.length > 0 && (
        <ReportProvider value={source}>
          <ReportTabs panels={plan.panels} findings={report.findings} />
        </ReportProvider>
      )}
    </>
  );
}

function judged(report: LocalReport, rules: Pick<NonNullable<JobDetail['rules']>, 'loaded'> | null): Judged {
  return {
    status: 'completed',
    total_findings: report.totalFindings,
    distinct_rules: report.distinctRules,
    severity_summary: { ...report.severitySummary },
    score_ratio: report.scoreRatio,
    first_event_at: report.firstEventAt,
    last_event_at: report.lastEventAt,
    events: report.events,
    rules,
  };
}
