import type { TriagePlan } from '@svc/contracts';
import { logTypeLabels } from '@svc/domain';
import { useMemo } from 'react';
import { ReportProvider } from '../../api/report-source.ts';
import { localReport } from '../../api/triage/local-report.ts';
import type { LocalReport } from '../../api/triage/messages.ts';
import { Fact, FactsCard, UsedRules } from '../../features/report/file-facts.tsx';
import { NotAllRead } from '../../features/report/job-notices.tsx';
import { ReportTabs } from '../../features/report/report-tabs.tsx';
import { LogContents } from '../../features/report/log-contents.tsx';
import { NothingFound, VerdictDetails, type Judged } from '../../features/report/verdict.tsx';
import { PrintedReport } from '../../features/report/handover/printed-report.tsx';
import { bytes, count, duration } from '../../ui/format.ts';
import { handedTriage } from './handed-triage.ts';

interface ReportProps {
  readonly id: number;
  readonly file: File;
  readonly report: LocalReport;
  readonly plan: TriagePlan;
}

/** The report of a log that was analysed here, in the form of a job's. */
export function TriageReport({ id, file, report, plan }: ReportProps) {
  const source = useMemo(() => localReport(id, report, plan.panels), [id, report, plan]);
  const handed = useMemo(() => handedTriage({ id, file, report, plan }), [id, file, report, plan]);
  return (
    <>
      <PrintedReport report={handed} />
      {report.warnings.length > 0 && <NotAllRead warnings={report.warnings} />}
      <ReportProvider value={source}>
        {report.findings.length > 0 ? (
          <ReportTabs panels={plan.panels} findings={report.findings} />
        ) : (
          <>
            <NothingFound job={judged(report, plan)} />
            <LogContents />
          </>
        )}
      </ReportProvider>
    </>
  );
}

/** What is known of the file, and of how it was analysed. */
export function TriageDetails({ file, report, plan }: Omit<ReportProps, 'id'>) {
  return (
    <VerdictDetails job={judged(report, plan)}>
      <FactsCard>
        <Fact name="Type">{logTypeLabels[report.logType]}</Fact>
        <Fact name="Size">{bytes(file.size)}</Fact>
        <Fact name="Workflow">{plan.workflow.name}</Fact>
        <Fact name="Events read">{count(report.events)}</Fact>
        <Fact name="Rules">
          <UsedRules rules={plan.tasks[0]?.rules ?? null} />
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
    </VerdictDetails>
  );
}

/** What of a report the verdict is made from. */
export function judged(report: LocalReport, plan: TriagePlan): Judged {
  return {
    status: 'completed',
    total_findings: report.totalFindings,
    distinct_rules: report.distinctRules,
    severity_summary: { ...report.severitySummary },
    score_ratio: report.scoreRatio,
    first_event_at: report.firstEventAt,
    last_event_at: report.lastEventAt,
    events: report.events,
    rules: plan.tasks[0]?.rules ?? null,
  };
}
