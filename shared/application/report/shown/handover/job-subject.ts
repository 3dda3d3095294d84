import type { JobDetail, TriagePlan } from '@svc/contracts';
import { bytes, count, duration, isPostStep, logTypeLabels } from '@svc/domain';
import type { HandoverSubject, KnownFact } from './handover.ts';
import { shownTime } from './shown-time.ts';

/** What the report of a job is of. */
export function jobSubject(job: JobDetail, address: string): HandoverSubject {
  const engines = job.tasks.filter(({ tool }) => !isPostStep(tool));
  return {
    name: job.filename,
    standing: [
      `Job ${job.job_id}`,
      job.status,
      job.is_private ? 'private: for its submitter and administrators' : 'public',
    ],
    address,
    isAnalysed: job.status === 'completed' || job.status === 'partial',
    severitySummary: job.severity_summary,
    totalFindings: job.total_findings,
    distinctRules: job.distinct_rules,
    events: job.events,
    firstEventAt: job.first_event_at,
    lastEventAt: job.last_event_at,
    limits: [
      ...(job.status === 'cancelled' ? ['The analysis was cancelled; the rest of the log was not looked at.'] : []),
      ...engines.flatMap(({ tool, status, error }) =>
        status === 'failed' || status === 'skipped' ? `${tool} ${status}${error === null ? '' : `: ${error}`}` : [],
      ),
      ...job.warnings,
    ],
    file: [
      ['Name', job.filename],
      ['SHA-256', job.file.sha256],
      ...(job.file.tlsh === null ? [] : [['TLSH', job.file.tlsh] as const]),
      ['Size', `${bytes(job.file.size_bytes)} (${job.file.size_bytes} bytes)`],
      ['Type', logTypeLabels[job.effective_log_type]],
      ...(job.detected_type === job.effective_log_type
        ? []
        : [['Detected type', logTypeLabels[job.detected_type]] as const]),
      ['Submitted', `${shownTime(job.created_at)} UTC by ${job.submitter}`],
    ],
    making: [
      ['Workflow', job.workflow.name],
      ...rulesFacts(job.rules),
      ['Records read', job.events === null ? 'not known' : count(job.events)],
      ...engines.map(({ tool, status, duration_ms: ms }): KnownFact => [
        'Engine',
        [tool, status, ms === null ? null : duration(ms)].filter(Boolean).join(', '),
      ]),
      ...(job.started_at === null ? [] : [['Started', `${shownTime(job.started_at)} UTC`] as const]),
      ...(job.finished_at === null ? [] : [['Finished', `${shownTime(job.finished_at)} UTC`] as const]),
    ],
  };
}

/** The rules that a log was held against, a fact for each pack. */
export function rulesFacts(rules: TriagePlan['tasks'][number]['rules'] | null): KnownFact[] {
  if (rules === null) return [['Rules', 'none']];
  const rejected = rules.rejected > 0 ? `; ${count(rules.rejected)} rejected` : '';
  return [
    ['Rules', `${count(rules.loaded)} of ${rules.name} ${rules.version}${rejected}`],
    ...rules.packs.map(({ name, version, dated_at: dated }): KnownFact => [
      'Rule pack',
      `${name} ${version}, newest rule of ${dated}`,
    ]),
  ];
}
