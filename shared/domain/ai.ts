import type { Actor } from './actor.ts';
import { hasRole } from './actor.ts';

/** Shapes in which a language model is asked (resolved-platform 18.2). */
export const aiKinds = ['openai', 'anthropic'] as const;
export type AiKind = (typeof aiKinds)[number];

export const aiRunStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type AiRunStatus = (typeof aiRunStatuses)[number];

/** What a run is about. */
export const aiSubjects = ['job', 'case'] as const;
export type AiSubject = (typeof aiSubjects)[number];

/** Lengths in characters, times in seconds (resolved-platform 18.1). */
export const aiLimits = {
  name: 80,
  baseUrl: 500,
  model: 200,
  token: 4_000,
  systemPrompt: 50_000,
  notes: 4_000,
  prompt: 2_000_000,
  maxOutputTokens: 1_000_000,
  longestTimeout: 800,
  errorMessage: 500,
  /** Of an answer, in bytes. */
  answerBytes: 1_048_576,
  providers: 100,
  /** Runs that a list shows. */
  listed: 20,
} as const;

/** Seconds without a sign of life after which a run counts as one that will not report back, and after its queue's expiry. */
export const aiStalledSeconds = 120;

/** Where models are asked, and how (service 2.16). */
export interface AiProvider {
  readonly id: number;
  readonly name: string;
  readonly kind: AiKind;
  /** Without the path of the kind at its end. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null for the product's own. */
  readonly systemPrompt: string | null;
  readonly caseSystemPrompt: string | null;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  /** Characters of a brief; null for `AI_MAX_PROMPT_CHARS`. */
  readonly jobMaxPromptChars: number | null;
  readonly caseMaxPromptChars: number | null;
  /** Of a whole request. */
  readonly timeoutSeconds: number;
  /** Whether names of the site leave as tokens; null for what its host says: yes unless it is of the own network. */
  readonly pseudonyms: boolean | null;
  readonly isEnabled: boolean;
  readonly isDefault: boolean;
  readonly notes: string;
  readonly hasToken: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One answer that somebody asked for (service 2.17). */
export interface AiRun {
  readonly id: number;
  readonly subject: AiSubject;
  readonly subjectId: number;
  /** Null when the provider is gone. */
  readonly providerId: number | null;
  readonly providerName: string;
  readonly model: string;
  readonly status: AiRunStatus;
  readonly errorMessage: string | null;
  /** Account id; null when the account is gone. */
  readonly requestedBy: string | null;
  readonly promptChars: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly heartbeatAt: Date | null;
  readonly finishedAt: Date | null;
  /** Seconds that the provider was given. */
  readonly timeoutSeconds: number;
  /** Of a case: when its evidence was read, and when a job that it was read of was deleted. */
  readonly evidenceCapturedAt: Date | null;
  readonly sourceDeletedAt: Date | null;
}

/** Whether it waits or is under way. */
export function isInFlight({ status }: Pick<AiRun, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** Whether a run that is in flight will not report back by itself (resolved-platform 18.4). */
export function isStalled(
  run: Pick<AiRun, 'status' | 'createdAt' | 'startedAt' | 'heartbeatAt'>,
  { now, queueExpirySeconds }: { readonly now: Date; readonly queueExpirySeconds: number },
): boolean {
  const silentFor = (since: Date): number => (now.getTime() - since.getTime()) / 1000;
  if (run.status === 'pending') return silentFor(run.createdAt) > queueExpirySeconds + aiStalledSeconds;
  if (run.status !== 'running') return false;
  return silentFor(run.heartbeatAt ?? run.startedAt ?? run.createdAt) > aiStalledSeconds;
}

/** Who stops and deletes a run, and reads what it sent: administrators and who started it. */
export function ownsAiRun({ requestedBy }: Pick<AiRun, 'requestedBy'>, actor: Actor): boolean {
  return hasRole(actor, 'admin') || (actor.kind === 'account' && actor.userId === requestedBy);
}

/** What was pasted, without the path that the kind adds, query, or a slash at its end. */
export function trimmedBaseUrl(pasted: string): string {
  return pasted
    .trim()
    .replace(/[?#].*$/u, '')
    .replace(/\/+$/u, '')
    .replace(/\/(chat\/completions|messages)$/u, '')
    .replace(/\/+$/u, '');
}

/** `name (copy)`, `name (copy 2)` and so on: the first that is not taken. */
export function copyName(name: string, taken: ReadonlySet<string>, longest: number): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? ' (copy)' : ` (copy ${number})`;
    const copy =
      Array.from(name)
        .slice(0, longest - suffix.length)
        .join('')
        .trimEnd() + suffix;
    if (!taken.has(copy.toLowerCase())) return copy;
  }
}
