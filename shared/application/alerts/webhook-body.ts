import { webhookLimits, type Job } from '@svc/domain';
import type { BegunAttempt } from './webhook-attempts.ts';

/** What every body says (resolved-intel 14.2); templates are filled from it. */
export interface WebhookBody {
  readonly event: string;
  readonly rule: { readonly id: number; readonly name: string; readonly query?: string; readonly tag?: string | null };
  readonly job: {
    readonly id: number | null;
    readonly status: string | null;
    readonly score_ratio: string | null;
    readonly url: string | null;
    readonly total_findings?: number;
    readonly severity_summary?: Job['severitySummary'];
  };
  readonly match_count: number;
  readonly truncated: boolean;
  readonly test?: true;
  readonly entities: BegunAttempt['entities'];
  readonly events?: readonly {
    readonly kind: string;
    readonly ref_id: number;
    readonly summary: string;
    readonly at: string;
  }[];
  readonly delivery_id: string;
  readonly sent_at: string;
}

export interface Sending {
  readonly deliveryId: string;
  readonly at: Date;
  /** Null of a test. */
  readonly job: Job | null;
  /** Address of the job's page. */
  readonly jobUrl: string | null;
}

/** The product's own body, of what is known now. */
export function webhookBody(begun: BegunAttempt, { deliveryId, at, job, jobUrl }: Sending): WebhookBody {
  const { event, rule } = begun;
  const tag = rule.actionTags.map(({ name }) => name).join(',') || null;
  const isWatch = event === 'job.watch';
  const matchCount = isWatch ? begun.events.length : begun.matchCount;
  return {
    event,
    ...(event === 'rule.test' && { test: true }),
    rule: { id: rule.id, name: rule.name, ...(!isWatch && { query: rule.query, tag }) },
    job: {
      id: job?.id ?? null,
      status: job?.status ?? null,
      score_ratio: job?.scoreRatio ?? null,
      url: jobUrl,
      ...(event === 'job.match' && job && { total_findings: job.totalFindings, severity_summary: job.severitySummary }),
    },
    match_count: matchCount,
    truncated: event === 'rule.match' && matchCount > webhookLimits.entities,
    entities: event === 'rule.match' ? begun.entities : [],
    ...(isWatch && {
      events: begun.events.map(({ kind, refId, summary, at: when }) => ({
        kind,
        ref_id: refId,
        summary,
        at: whole(when),
      })),
    }),
    delivery_id: deliveryId,
    sent_at: whole(at),
  };
}

/** Without fractions of a second, as the timestamp beside it. */
function whole(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
