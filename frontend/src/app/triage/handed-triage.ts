import { rulesFacts } from '@svc/application/report/shown/handover/job-subject.ts';
import { bytes, count, duration, logTypeLabels } from '@svc/domain';
import type { TriagePlan } from '@svc/contracts';
import { hashFile } from '../../api/hash-file.ts';
import { localReport } from '../../api/triage/local-report.ts';
import type { LocalReport } from '../../api/triage/messages.ts';
import type { HandedReport } from '../../features/report/handover/gather-handover.ts';

export interface LocalAnalysis {
  /** Number of the file in this window. */
  readonly id: number;
  readonly file: File;
  readonly report: LocalReport;
  readonly plan: TriagePlan;
}

/** The report of a log that was analysed here, to be handed over. */
export function handedTriage({ id, file, report, plan }: LocalAnalysis): HandedReport {
  return {
    source: localReport(id, report, plan.panels),
    findings: report.findings,
    panels: plan.panels,
    hasDiscussion: false,
    digest: (signal) => hashFile(file, { signal, onProgress: () => undefined }),
    subject: {
      name: file.name,
      standing: ['Analysed in a browser', 'the log was not sent to the service'],
      address: null,
      isAnalysed: true,
      severitySummary: report.severitySummary,
      totalFindings: report.totalFindings,
      distinctRules: report.distinctRules,
      events: report.events,
      firstEventAt: report.firstEventAt,
      lastEventAt: report.lastEventAt,
      limits: [
        ...(plan.shipped_rules_only ? ['Rules that the site has of its own were left out.'] : []),
        ...(plan.elsewhere.length > 0 ? [`Engines that did not run here: ${plan.elsewhere.join(', ')}.`] : []),
        ...report.warnings,
      ],
      file: [
        ['Name', file.name],
        ['Size', `${bytes(file.size)} (${file.size} bytes)`],
        ['Type', logTypeLabels[report.logType]],
      ],
      making: [
        ['Workflow', plan.workflow.name],
        ...rulesFacts(plan.tasks[0]?.rules ?? null),
        ['Records read', count(report.events)],
        ...plan.tasks.map(({ tool }) => ['Engine', `${tool}, in a browser`] as const),
        ['Duration', duration(report.durationMs)],
      ],
    },
  };
}
