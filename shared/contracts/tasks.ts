import { outboundFailures, webhookMethods } from '@svc/domain';
import { z } from 'zod';

/**
 * Where a task waits. An analysis goes to `fast`, whose workers begin within seconds, or to `heavy`, which has large
 * ones (architecture 3.3). Work that somebody waits for is `prompt`; what may take minutes and nobody waits for is a
 * `sweep`; what waits for hosts of others is `outbound`, and what waits minutes for a model `ai`. None of them keeps
 * another waiting.
 */
export const lanes = ['fast', 'heavy', 'prompt', 'sweep', 'outbound', 'ai'] as const;
export type Lane = (typeof lanes)[number];

/** What is done again and again (resolved-platform 16.2); `config/schedules.ts` says when. */
export const periodicKinds = [
  'job-recovery',
  'happenings',
  'expired-uploads',
  'task-history',
  'dropped-objects',
  'stored-objects',
  'old-outputs',
  'old-uploads',
  'rule-packs',
  'rule-lists',
  'comment-prune',
  'similarity-digests',
  'held-words',
  'sample-events',
  'intel',
  'session-prune',
  'token-prune',
  'happening-prune',
  'webhook-prune',
  'activity-prune',
  'enrichment-prune',
] as const;
export type PeriodicKind = (typeof periodicKinds)[number];

/** What is made anew over all that is stored (resolved-platform 16.2), each of which an administrator can ask for. */
export const backfillKinds = [
  'backfill_similarity',
  'backfill_analytics',
  'backfill_entities',
  'backfill_entity_attributes',
  'backfill_builtin_labels',
  'backfill_relationships',
  'backfill_finding_entity_links',
] as const;
export type BackfillKind = (typeof backfillKinds)[number];

/** What administrators have done about room (resolved-platform 16.5). */
export const storageKinds = ['cleanup_old_job_outputs', 'purge_orphaned_storage', 'vacuum_database'] as const;
export type StorageKind = (typeof storageKinds)[number];

const id = z.int().positive();
const attempt = { deliveryId: z.uuid(), attempt: id };
/** What of an attempt says how it goes on after the answer. */
const standing = { ...attempt, sinceAsked: id, isTest: z.boolean() };

/** What came of sending a request: its status, or the service's own reason why there is none. */
const WebhookAnswer = z.union([
  z.object({ durationMs: z.number(), status: z.int(), retryAfter: z.string().nullable() }),
  z.object({ durationMs: z.number(), failure: z.enum(outboundFailures), message: z.string() }),
]);

/** What a function that reaches no database is to send to a receiver (decision 103). */
export const OutgoingWebhook = z.object({
  ...standing,
  request: z.object({
    method: z.enum(webhookMethods),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});
/** How long it may wait to be sent. */
export const queuedSeconds = 180;

/** What the queue can be given: a kind, and what that is to be done to. */
export const Task = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run_analysis'), jobId: id }),
  // `taskId` is its row, where administrators see how it does.
  z.object({ kind: z.literal('recalculate_single_analytics'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('gather_finding_matches'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('apply_suppression'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('backtest_alert_rule'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('bulk_enrich'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('test_engine'), taskId: id, targetId: id }),
  z.object({ kind: z.literal('prepare_engine_image'), taskId: id, targetId: id }),
  z.object({ kind: z.enum(backfillKinds), taskId: id }),
  z.object({ kind: z.enum(storageKinds), taskId: id }),
  z.object({ kind: z.literal('run_ai_analysis'), runId: id }),
  z.object({ kind: z.literal('deliver_webhook'), ...attempt }),
  // Of an attempt that was made elsewhere.
  z.object({
    kind: z.literal('end_webhook_attempt'),
    ...standing,
    answer: WebhookAnswer,
  }),
  z.object({ kind: z.enum(periodicKinds) }),
]);
export type Task = z.infer<typeof Task>;
export type TaskKind = Task['kind'];
export type TaskOf<K extends TaskKind> = K extends PeriodicKind
  ? { kind: K }
  : K extends BackfillKind | StorageKind
    ? { kind: K; taskId: number }
    : Extract<Task, { kind: K }>;

/** A task of a version that knows more kinds than this one, as it was stored. */
export interface UnknownTask {
  readonly kind: 'unknown';
  readonly stored: unknown;
}

/** How the queue treats a kind. */
export interface TaskPolicy {
  /** Of an analysis, the one that it begins in unless its file is large. */
  readonly lane: Lane;
  /** How often it is begun, also by workers that did not live to see its end, before it is given up. */
  readonly attempts: number;
  /** Seconds until it is begun again after its first failure, its second and so on; then it is given up. */
  readonly retryDelays: readonly number[];
  /** Seconds without a sign of life after which another worker takes it; null for `WORKER_HEARTBEAT_TTL`. */
  readonly leaseSeconds: number | null;
  /** Whether taking it out of the queue also stops the worker that has it. */
  readonly canCancel: boolean;
}

/** It comes again with its schedule; a sweep may compute for a while without a sign of life. */
const sweep: TaskPolicy = {
  lane: 'sweep',
  attempts: 3,
  retryDelays: [60, 600],
  leaseSeconds: 300,
  canCancel: false,
};
/** It goes on where an earlier attempt ended; its row counts those that got no further, and gives it up. */
const resumed: TaskPolicy = { ...sweep, attempts: 1000 };
const prompt: TaskPolicy = { ...sweep, lane: 'prompt' };

/** Every kind of queued work. */
export const taskKinds = {
  run_analysis: { lane: 'fast', attempts: 3, retryDelays: [5], leaseSeconds: null, canCancel: true },
  // What goes wrong in it is told to whoever asked, who may ask again.
  recalculate_single_analytics: { ...prompt, retryDelays: [30, 300], leaseSeconds: null },
  // It reads a whole log, however large that is.
  gather_finding_matches: { ...prompt, lane: 'heavy', retryDelays: [30, 300], leaseSeconds: null },
  // Whoever asked for it looks at the report, whose findings are marked first of few and last of very many.
  apply_suppression: { ...resumed, lane: 'prompt' },
  backtest_alert_rule: { ...prompt, retryDelays: [30, 300] },
  // It waits for whoever it asks.
  bulk_enrich: { ...resumed, lane: 'outbound' },
  // Workers of the heavy lane have the programs.
  test_engine: { ...prompt, lane: 'heavy', retryDelays: [30, 300], leaseSeconds: null },
  prepare_engine_image: { ...prompt, lane: 'heavy', retryDelays: [30, 300], leaseSeconds: null },
  // Its run is begun once, whatever comes of it.
  run_ai_analysis: { lane: 'ai', attempts: 3, retryDelays: [5, 60], leaseSeconds: null, canCancel: true },
  // It has attempts and waits of its own, which users see; what fails here is the service itself.
  deliver_webhook: { ...prompt, lane: 'outbound', retryDelays: [5, 60] },
  end_webhook_attempt: prompt,
  backfill_similarity: resumed,
  backfill_analytics: resumed,
  cleanup_old_job_outputs: resumed,
  backfill_entities: resumed,
  backfill_entity_attributes: resumed,
  backfill_builtin_labels: resumed,
  backfill_relationships: resumed,
  backfill_finding_entity_links: resumed,
  purge_orphaned_storage: resumed,
  vacuum_database: sweep,
  'job-recovery': prompt,
  happenings: prompt,
  'expired-uploads': sweep,
  'task-history': sweep,
  'dropped-objects': sweep,
  'stored-objects': sweep,
  'old-outputs': sweep,
  'old-uploads': sweep,
  'rule-packs': sweep,
  'rule-lists': sweep,
  'comment-prune': sweep,
  'similarity-digests': sweep,
  'held-words': sweep,
  'sample-events': sweep,
  intel: sweep,
  'session-prune': sweep,
  'token-prune': sweep,
  'happening-prune': sweep,
  'webhook-prune': sweep,
  'activity-prune': sweep,
  'enrichment-prune': sweep,
} as const satisfies Record<TaskKind, TaskPolicy>;

/** How the queue treats a task; null for one of a kind that is not known here. */
export function policyOf({ kind }: Task | UnknownTask): TaskPolicy | null {
  return kind === 'unknown' ? null : taskKinds[kind];
}

/** The task that analyses a job. */
export function analysisOf(jobId: number): TaskOf<'run_analysis'> {
  return { kind: 'run_analysis', jobId };
}

/** What at most one task in flight has: the job of an analysis, the row of what was asked for, an attempt, or its kind. */
export function keyOf(task: Task): string {
  if (task.kind === 'run_analysis') return analysisKey(task.jobId);
  // One that was cancelled and is still worked on does not keep the next one waiting.
  if ('taskId' in task) return `${task.kind}:${task.taskId}`;
  if (task.kind === 'run_ai_analysis') return aiRunKey(task.runId);
  if ('deliveryId' in task) return `${task.kind}:${task.deliveryId}:${task.attempt}`;
  return task.kind;
}

/** {@link keyOf} the task that analyses a job. */
export function analysisKey(jobId: number): string {
  return `run_analysis:${jobId}`;
}

/** {@link keyOf} the task of an AI run. */
export function aiRunKey(runId: number): string {
  return `run_ai_analysis:${runId}`;
}

/** A task as a queue has kept it. */
export function readTask(stored: unknown): Task | UnknownTask {
  const { success, data } = Task.safeParse(stored);
  return success ? data : { kind: 'unknown', stored };
}
