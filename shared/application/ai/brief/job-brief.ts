import {
  byWeight,
  entityLines,
  findingBlock,
  heuristicLines,
  marker,
  nameOf,
  severityLine,
  tacticLines,
} from './brief-lines.ts';
import { part, withinBudget, type Brief } from './budgeted.ts';
import { briefLimits, type JobFacts } from './job-facts.ts';

/** What a model is told of a job (resolved-platform 18.3), within a number of characters. */
export function jobBrief({ job, analytics, findings, events }: JobFacts, budget: number): Brief {
  const times = [job.first_event_at, job.last_event_at].filter((time) => time !== null);
  return withinBudget(
    {
      head: marker,
      parts: [
        part('the job', 'Job', [
          `Job ${job.job_id}, file: ${nameOf(job.filename)}`,
          `SHA-256 of the file: ${job.sha256}`,
          `Log type: ${job.log_type}; workflow: ${nameOf(job.workflow)}; status: ${job.status}${job.partly_read ? '; parts of the log were damaged and not read' : ''}`,
          `Engines that found something: ${job.score_ratio}`,
          ...(times.length > 0 ? [`Matched events are from ${times.join(' to ')}`] : []),
        ]),
        part('detections', 'Detections', [
          `Distinct rules: ${job.distinct_rules}; matched events: ${job.total_findings}`,
          severityLine(job.severity_summary),
        ]),
        part('tactics', 'Tactics by matched events', tacticLines(analytics?.mitre_tactics ?? {})),
        part('heuristics', 'Heuristics', analytics?.threat_detection ? heuristicLines(analytics.threat_detection) : []),
        part('entities', 'Entities, with the matched events that name them', analytics ? entityLines(analytics) : []),
      ],
      findings: [...findings]
        .sort(byWeight)
        .slice(0, briefLimits.findings)
        .map((finding) => findingBlock(finding, events.get(finding.id) ?? [])),
      found: findings.length,
    },
    budget,
  );
}
