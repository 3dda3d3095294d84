import { aiRunStatuses } from '@svc/domain';
import { z } from 'zod';
import { Id, idList, PathId, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A run as lists show it. */
export const AiRunHead = z.object({
  id: Id,
  /** Null when the provider is gone. */
  provider_id: Id.nullable(),
  provider_name: z.string(),
  model: z.string(),
  status: z.enum(aiRunStatuses),
  /** In the service's words, and the provider's own of an error that it named. */
  error_message: z.string().nullable(),
  /** Null when the account is gone. */
  requested_by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  prompt_chars: z.number().int(),
  input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  duration_ms: z.number().int().nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
  /** It will not report back by itself; stopping it closes it off. */
  stalled: z.boolean(),
  /** Whether the viewer may stop and delete it, and read what it sent. */
  is_own: z.boolean(),
});
export type AiRunHead = z.output<typeof AiRunHead>;

/** A run with its answer, as far as that is there. */
export const AiRun = AiRunHead.extend({
  /** Markdown of somebody who is not trusted. */
  content: z.string(),
  /** For administrators and who started it, where the site keeps it: what was sent, with tokens in place of names. */
  prompt: z.object({ system: z.string(), user: z.string() }).nullable(),
  /** With the prompt: what each token stands for. */
  pseudonyms: z.array(z.object({ token: z.string(), value: z.string() })).nullable(),
  /** With the prompt: what was left out of it. */
  omissions: z.array(z.string()).nullable(),
  /** For administrators. */
  log_output: z.string().nullable(),
  /** Of a run over a case: the jobs that it read, when, and when one of them was deleted. */
  source_jobs: z.array(Id).nullable(),
  evidence_captured_at: Timestamp.nullable(),
  source_deleted_at: Timestamp.nullable(),
});
export type AiRun = z.output<typeof AiRun>;

export const AiRuns = z.object({
  /** The newest 20 that the viewer may read. */
  runs: z.array(AiRunHead),
  /** The one that was asked for, else the newest. */
  selected: AiRun.nullable(),
  /** For members: those that are switched on, the default first. */
  providers: z.array(
    z.object({
      id: Id,
      name: z.string(),
      model: z.string(),
      is_default: z.boolean(),
      /** Whether names of the own network leave as stand-ins. */
      hides_names: z.boolean(),
    }),
  ),
  /** Whether the viewer may start runs at all, and whether one can be started at the moment. */
  can_run: z.boolean(),
  can_run_now: z.boolean(),
  /** Why one cannot; null where it can. */
  refusal: z.string().nullable(),
  /** Of the selected one. */
  stalled: z.boolean(),
});
export type AiRuns = z.output<typeof AiRuns>;

const Started = z.object({ analysis_id: Id });
const Deleted = z.object({ deleted: z.number().int() });
const Start = z.object({ provider_id: Id });
const Select = z.object({ analysis_id: Id.optional() });
const RunPath = PathId.extend({ rid: Id });
const Chosen = z.object({ analysis_ids: idList('runs', 100) });
const startRefusals = [
  'not_analysable',
  'feature_off',
  'bad_request',
  'ai_budget',
  'queue_unreachable',
  'rate_limited',
] as const;

const onJob = { area: 'ai', access: 'member' } as const;

/**
 * Runs over a job and over a case (resolved-platform 18.4). The streams are server-sent events: `status` with an
 * {@link AiRunHead}, `log` for administrators and `text` with `{start, text}`: what comes from a place on, in place of what
 * was there. The id of a text says how far one has read, and is what `Last-Event-ID` takes. The last one is `done`.
 */
export const aiRunOperations = {
  listJobAiRuns: {
    area: 'ai',
    access: 'anyone',
    method: 'GET',
    path: '/jobs/{id}/ai-analysis',
    summary: 'AI runs over a job, the newest first, and one of them with its answer',
    params: PathId,
    query: Select,
    success: [200],
    output: AiRuns,
    errors: ['not_found'],
  },
  startJobAiRun: {
    ...onJob,
    method: 'POST',
    path: '/jobs/{id}/ai-analysis',
    summary: 'Have a model analyse a job that has ended',
    params: PathId,
    body: Start,
    success: [202],
    output: Started,
    errors: ['not_found', ...startRefusals],
  },
  followJobAiRun: {
    area: 'ai',
    access: 'anyone',
    method: 'GET',
    path: '/jobs/{id}/ai-analysis/{rid}/stream',
    summary: 'What a run over a job writes, as it comes, from `Last-Event-ID` on',
    params: RunPath,
    success: [200],
    output: null,
    bytes: 'text/event-stream',
    errors: ['not_found'],
  },
  cancelJobAiRun: {
    ...onJob,
    access: 'user',
    method: 'POST',
    path: '/jobs/{id}/ai-analysis/{rid}/cancel',
    summary: 'Stop a run over a job that waits or is under way: one’s own, or as an administrator',
    params: RunPath,
    success: [200],
    output: AiRunHead,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  deleteJobAiRuns: {
    ...onJob,
    access: 'user',
    method: 'POST',
    path: '/jobs/{id}/ai-analysis/delete',
    summary: 'Delete runs over a job that have ended: one’s own, or as an administrator',
    params: PathId,
    body: Chosen,
    success: [200],
    output: Deleted,
    errors: ['not_found', 'forbidden', 'conflict'],
  },
  listCaseAiRuns: {
    area: 'ai',
    access: 'member',
    method: 'GET',
    path: '/intel/cases/{id}/ai-analysis',
    summary: 'AI runs over a case whose jobs one sees all, the newest first, and one of them with its answer',
    params: PathId,
    query: Select,
    success: [200],
    output: AiRuns,
    errors: ['case_not_found'],
  },
  startCaseAiRun: {
    ...onJob,
    method: 'POST',
    path: '/intel/cases/{id}/ai-analysis',
    summary: 'Have a model analyse the jobs of a case that one sees',
    params: PathId,
    body: Start,
    success: [202],
    output: Started,
    errors: ['case_not_found', ...startRefusals],
  },
  followCaseAiRun: {
    area: 'ai',
    access: 'member',
    method: 'GET',
    path: '/intel/cases/{id}/ai-analysis/{rid}/stream',
    summary: 'What a run over a case writes, as it comes, from `Last-Event-ID` on',
    params: RunPath,
    success: [200],
    output: null,
    bytes: 'text/event-stream',
    errors: ['case_not_found', 'not_found'],
  },
  cancelCaseAiRun: {
    ...onJob,
    method: 'POST',
    path: '/intel/cases/{id}/ai-analysis/{rid}/cancel',
    summary: 'Stop a run over a case that waits or is under way: one’s own, or as an administrator',
    params: RunPath,
    success: [200],
    output: AiRunHead,
    errors: ['case_not_found', 'not_found', 'forbidden', 'conflict'],
  },
  deleteCaseAiRuns: {
    ...onJob,
    method: 'POST',
    path: '/intel/cases/{id}/ai-analysis/delete',
    summary: 'Delete runs over a case that have ended: one’s own, or as an administrator',
    params: PathId,
    body: Chosen,
    success: [200],
    output: Deleted,
    errors: ['case_not_found', 'not_found', 'forbidden', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
