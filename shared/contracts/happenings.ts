import { jobStatuses } from '@svc/domain';
import { z } from 'zod';

/** What something can happen to. */
export const subjectKinds = ['job', 'case', 'entity'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

const Job = z.object({ kind: z.literal('job'), id: z.number().int() });
const Case = z.object({ kind: z.literal('case'), id: z.number().int() });
const Entity = z.object({ kind: z.literal('entity'), id: z.number().int() });
const Discussed = z.discriminatedUnion('kind', [Job, Case, Entity]);

const who = {
  /** Account id of who did it; null for visitors and for the service itself. */
  by: z.string().nullable(),
  at: z.date(),
};
/** Texts that can be edited or deleted are not repeated here: who is told of one reads it then. */
const onComment = { subject: Discussed, ...who, commentId: z.number().int() };

/**
 * What has happened to a subject, as the outbox keeps it for those who want to know. A kind once written is
 * still read after an update: fields are only ever added, as optional ones.
 */
export const NewHappening = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('job_submitted'), subject: Job, ...who }),
  z.object({ kind: z.literal('job_finished'), subject: Job, ...who, status: z.enum(jobStatuses) }),
  /** What a job names was stored, on which rules have still to run. */
  z.object({ kind: z.literal('entities_stored'), subject: Job, ...who }),
  z.object({ kind: z.literal('job_deleted'), subject: Job, ...who }),
  z.object({
    kind: z.literal('tagged'),
    subject: Job,
    ...who,
    /** Those that the job did not carry before; `link` is new each time that a tag is given. */
    tags: z.array(z.object({ link: z.number().int(), name: z.string() })),
  }),
  z.object({ kind: z.literal('untagged'), subject: Job, ...who, names: z.array(z.string()) }),
  z.object({ kind: z.literal('commented'), ...onComment }),
  z.object({ kind: z.literal('comment_edited'), ...onComment }),
  z.object({ kind: z.literal('comment_deleted'), ...onComment }),
  /** A run over a job has ended by itself, well or not. */
  z.object({ kind: z.literal('ai_run_ended'), subject: Job, ...who, runId: z.number().int() }),
  z.object({ kind: z.literal('case_created'), subject: Case, ...who }),
]);
export type NewHappening = z.output<typeof NewHappening>;

export type HappeningKind = NewHappening['kind'];

/** One that was written; of two of a subject, the later has the higher id. */
export type Happening = NewHappening & { readonly id: number };
