import {
  highestFileNumber,
  jobStatuses,
  logTypes,
  readinessLevels,
  severities,
  tagColors,
  tagLimits,
  tagNames,
  taskStatuses,
} from '@svc/domain';
import { z } from 'zod';

const digits = /^\s*-?\d{1,16}\s*$/;
const numbered = (sent: unknown): unknown => (typeof sent === 'string' && digits.test(sent) ? Number(sent) : sent);
/** A whole number, or its digits: addresses and forms have nothing else. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  const number = z.int(error).min(least, error).max(most, error);
  return z.preprocess(numbered, number).meta({ type: 'integer', minimum: least, maximum: most });
}
/** Row ids: positive, at most 2,147,483,647; a path segment outside that range is simply not found. */
export const Id = wholeNumber(1, 2_147_483_647);
/** That a client reads it into 64 bits: an id of a row would do with 32. */
const wide = { format: 'int64' };
/** Of a file, made of its digest: no row's id, so it may pass what those have. */
export const FileNumber = wholeNumber(0, highestFileNumber).meta(wide);
/** The same, in an answer. */
export const ToldFileNumber = z.int().min(0).max(highestFileNumber).meta(wide);
/** An id, or nothing: null in JSON, empty text in a form. */
export const OptionalId = z
  .union([z.literal('').transform(() => null), z.null(), Id], { error: 'must be a number, or nothing' })
  .default(null);
/** The job that what hangs on something is narrowed to: 0 asks for all of them, nothing for what is usual. */
export const JobOrAll = z
  .union([z.literal('').transform(() => null), z.null(), wholeNumber(0, 2_147_483_647)], {
    error: 'must be the number of a job, 0 for all, or nothing',
  })
  .default(null);
/** The same where all are usual. */
export const ScopeJob = JobOrAll.transform((job) => job || null);
/** UTC, `2026-08-01T10:15:00Z`. */
export const Timestamp = z.iso.datetime();
export const Severity = z.enum(severities);
export const SeveritySummary = z.record(Severity, z.number().int());
export const JobStatus = z.enum(jobStatuses);
export const TaskStatus = z.enum(taskStatuses);
export const LogType = z.enum(logTypes);
/** A time as milliseconds since 1970. */
export const Milliseconds = wholeNumber(0, 8.64e15);
/** A boolean as JSON or as form text; in both 1 and 0, too. */
export const Switch = z.union([z.boolean(), z.stringbool(), z.literal([0, 1]).transform((one) => one === 1)], {
  error: 'must be true or false',
});
export const Flag = Switch.default(false);
/** A tag as it is shown. */
export const Tag = z.object({ tag: z.string(), color: z.enum(tagColors) });
export type Tag = z.output<typeof Tag>;
/** Ids of at most so many jobs: a comma list in a form, a list in JSON. */
export const jobIds = (most: number) => idList('jobs', most);
/** The same of other things. */
export const idList = (things: string, most: number) => {
  const error = `must be the numbers of 1 to ${most} ${things}, as a list or with commas between them`;
  const ids = z.array(Id).min(1, error).max(most, error);
  const list = z.string().transform((text): unknown[] => text.split(',').filter((one) => one.trim() !== ''));
  return z.union([ids, list.pipe(ids)], { error });
};
/** Names as a comma list, a repeated field or a JSON list; at most 10 (service 8.2). */
export const TagNames = z
  .union([z.string(), z.array(z.string())], { error: 'must be names of tags, as a list or with commas between them' })
  .default([])
  .transform(tagNames)
  .refine((names) => names.length <= tagLimits.count, `at most ${tagLimits.count} tags`);
export const PathId = z.object({ id: Id });
/** Of a list; what is no page is the first. */
export const Page = z.coerce.number().int().min(1).max(1_000_000).catch(1).default(1);
/** What a check of the service’s readiness has found (resolved-platform 16.1). */
export const ReadinessCheck = z.object({
  section: z.string(),
  level: z.enum(readinessLevels),
  name: z.string(),
  message: z.string(),
  fix: z.string().nullable(),
});
export type ReadinessCheck = z.output<typeof ReadinessCheck>;
/** One of several things that are wrong; `start` and `end` bound it in the text that it is about, in UTF-16 units. */
export const ProblemReason = z.object({
  code: z.string(),
  message: z.string(),
  start: z.number().int().optional(),
  end: z.number().int().optional(),
});
/** Every failed request; with all reasons where there can be several. */
export const Problem = z.object({
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(ProblemReason).optional(),
});
export type Problem = z.output<typeof Problem>;
