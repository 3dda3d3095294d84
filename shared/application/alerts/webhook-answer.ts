import { webhookLimits, type OutboundFailure } from '@svc/domain';
import type { EndedAttempt } from './webhook-attempts.ts';

/** What came of sending a request to a receiver. */
export type WebhookAnswer = {
  /** Until the status was there, or it was clear that none would come. */
  readonly durationMs: number;
} & (
  | { readonly status: number; readonly retryAfter: string | null }
  | { readonly failure: OutboundFailure; readonly message: string }
);

/** Longest wait for the next attempt, also where a receiver asks for more. */
const longestWaitSeconds = 900;
const firstWaitSeconds = 60;
/** Trying again would not change these. */
const finalFailures: ReadonlySet<OutboundFailure> = new Set(['bad_url', 'refused_address']);

interface Standing {
  /** Since somebody last asked for the delivery, from 1. */
  readonly attempt: number;
  /** Of the attempts after the first. */
  readonly maxRetries: number;
  readonly isTest: boolean;
  readonly now: Date;
}

/** What a delivery does after an answer (resolved-intel 14.5). */
export function afterAnswer(answer: WebhookAnswer, { attempt, maxRetries, isTest, now }: Standing): EndedAttempt {
  const durationMs = Math.round(answer.durationMs);
  const statusCode = 'status' in answer ? answer.status : null;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { ok: true, statusCode, error: null, durationMs, nextAttemptAt: null };
  }
  const isFinal = isTest || attempt > maxRetries || !isWorthTrying(answer);
  return {
    ok: false,
    statusCode,
    error: ('status' in answer ? refusal(answer.status) : answer.message).slice(0, webhookLimits.error),
    durationMs,
    nextAttemptAt: isFinal ? null : new Date(now.getTime() + waitAfter(answer, attempt, now) * 1000),
  };
}

function isWorthTrying(answer: WebhookAnswer): boolean {
  if ('failure' in answer) return !finalFailures.has(answer.failure);
  return answer.status === 429 || answer.status < 400 || answer.status >= 500;
}

/** In seconds. */
function waitAfter(answer: WebhookAnswer, attempt: number, now: Date): number {
  const asked = 'status' in answer && answer.status === 429 ? secondsOf(answer.retryAfter, now) : null;
  if (asked !== null) return Math.min(Math.max(asked, 1), longestWaitSeconds);
  return Math.min(firstWaitSeconds * 2 ** (attempt - 1), longestWaitSeconds);
}

/** `Retry-After` is a number of seconds, or a date. */
function secondsOf(retryAfter: string | null, now: Date): number | null {
  if (retryAfter === null) return null;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.ceil((at - now.getTime()) / 1000);
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed`;
  return `Answered ${status}`;
}
