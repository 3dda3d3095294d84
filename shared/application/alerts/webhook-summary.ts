import { severities, type Severity } from '@svc/domain';
import type { WebhookBody } from './webhook-body.ts';

/** A body in words, for people. */
export interface WebhookSummary {
  /** One line. */
  readonly title: string;
  /** What it is about, one each. */
  readonly lines: readonly string[];
}

/** More than a message of chat should list. */
const mostLines = 10;

export function webhookSummary(body: WebhookBody): WebhookSummary {
  const { event, rule, job, match_count: count, entities, events = [] } = body;
  switch (event) {
    case 'rule.match':
      return {
        title: `${rule.name} matched ${amount(count, 'entity', 'entities')} in job ${job.id}`,
        lines: few(
          entities.map(({ type, value }) => `${type} ${value}`),
          count,
        ),
      };
    case 'job.match':
      return { title: `${rule.name} matched job ${job.id}`, lines: [findingsOf(job)] };
    case 'job.watch':
      return {
        title: `${amount(count, 'event', 'events')} on job ${job.id}`,
        lines: few(
          events.map(({ summary }) => summary),
          count,
        ),
      };
    default:
      return { title: `Test of ${rule.name}`, lines: ['This is how a delivery of this rule looks.'] };
  }
}

function findingsOf({ total_findings: total = 0, severity_summary: bySeverity }: WebhookBody['job']): string {
  const parts = severities
    .filter((severity: Severity) => (bySeverity?.[severity] ?? 0) > 0)
    .map((severity: Severity) => `${bySeverity![severity]} ${severity}`);
  const findings = amount(total, 'match', 'matches');
  return parts.length === 0 ? findings : `${findings}: ${parts.join(', ')}`;
}

function few(lines: readonly string[], count: number): string[] {
  const shown = lines.slice(0, mostLines);
  const more = count - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function amount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
