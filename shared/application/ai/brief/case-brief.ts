import { emptySummary, severities, type CaseStatus, type Severity } from '@svc/domain';
import {
  byWeight,
  entityLine,
  findingBlock,
  heuristicLines,
  marker,
  nameOf,
  severityLine,
  tacticLines,
} from './brief-lines.ts';
import { oneLine } from './evidence-text.ts';
import { part, withinBudget, type Brief } from './budgeted.ts';
import { briefEntities, briefLimits, type JobFacts } from './job-facts.ts';

export interface CaseFacts {
  readonly of: {
    readonly id: number;
    readonly name: string;
    readonly status: CaseStatus;
    readonly severity: Severity | null;
    readonly summary: string | null;
  };
  /** Jobs of the case that the viewer sees and that have a report. */
  readonly jobs: readonly JobFacts[];
  /** All of its jobs that the viewer sees. */
  readonly visible: number;
}

/** What a model is told of a case: the same as of a job, over its jobs, naming the job of each thing. */
export function caseBrief({ of, jobs, visible }: CaseFacts, budget: number): Brief {
  const summary = { ...emptySummary };
  const tactics: Record<string, number> = {};
  for (const { job, analytics } of jobs) {
    for (const one of severities) summary[one] += job.severity_summary[one];
    for (const [tactic, count] of Object.entries(analytics?.mitre_tactics ?? {}))
      tactics[tactic] = (tactics[tactic] ?? 0) + count;
  }
  const findings = jobs
    .flatMap(({ job, findings: own, events }) => own.map((finding) => ({ job: job.job_id, finding, events })))
    .sort((a, b) => byWeight(a.finding, b.finding));
  const heuristics = jobs.flatMap(({ job, analytics }) =>
    analytics?.threat_detection ? heuristicLines(analytics.threat_detection, `job ${job.job_id}, `) : [],
  );
  return withinBudget(
    {
      head: marker,
      parts: [
        part('the case', 'Case', [
          `Case ${of.id}: ${nameOf(of.name)}; status: ${of.status}; severity: ${of.severity ?? 'not set'}`,
          ...(of.summary === null || of.summary.trim() === ''
            ? []
            : [`What people wrote of it: ${oneLine(of.summary, 1000)}`]),
        ]),
        part('jobs', `Jobs (${jobs.length} of ${visible})`, jobs.map(jobLine)),
        part('detections', 'Detections of all jobs', [severityLine(summary)]),
        part('tactics', 'Tactics by matched events of all jobs', tacticLines(tactics)),
        part('heuristics', 'Heuristics', heuristics.slice(0, briefLimits.categories)),
        part('entities', 'Entities, with the jobs that name them', sharedEntities(jobs)),
      ],
      findings: findings
        .slice(0, briefLimits.findings)
        .map(({ job, finding, events }) => findingBlock(finding, events.get(finding.id) ?? [], job)),
      found: findings.length,
    },
    budget,
  );
}

function jobLine({ job }: JobFacts): string {
  const times = [job.first_event_at, job.last_event_at].filter((time) => time !== null);
  return `- job ${job.job_id}: ${nameOf(job.filename)}, ${job.log_type}, ${job.status}, ${job.distinct_rules} rules, ${job.total_findings} matched events${times.length > 0 ? `, ${times.join(' to ')}` : ''}`;
}

/** Those that the most jobs name first: they are what ties a case together. */
function sharedEntities(jobs: readonly JobFacts[]): string[] {
  return briefEntities.flatMap(([type, list, title]) => {
    const named = new Map<string, { value: string; events: number; jobs: number[] }>();
    const all = new Set<string>();
    for (const { job, analytics } of jobs) {
      for (const value of analytics?.[list] ?? []) all.add(value.toLowerCase());
      for (const { value, count } of analytics?.frequent?.[type] ?? []) {
        const known = named.get(value.toLowerCase()) ?? { value, events: 0, jobs: [] };
        named.set(value.toLowerCase(), { ...known, events: known.events + count, jobs: [...known.jobs, job.job_id] });
      }
    }
    const values = [...named.values()]
      .sort((a, b) => b.jobs.length - a.jobs.length || b.events - a.events)
      .map((one) => `${nameOf(one.value)} (job ${listed(one.jobs)})`);
    return entityLine(title, values, Math.max(all.size, values.length)) ?? [];
  });
}

/** Enough of them to say where. */
function listed(jobs: readonly number[]): string {
  const shown = jobs.slice(0, 5).join(', ');
  return jobs.length > 5 ? `${shown} and ${jobs.length - 5} more` : shown;
}
