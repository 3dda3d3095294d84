import { z } from 'zod';
import { Page, PathId } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { MatchedEvent } from './findings.ts';

/** Matched events of a page. */
export const matchesPerPage = 50;

const Count = z.number().int().min(0);

/** What is at hand of the matches of a finding. */
const AtHand = {
  /** All matches that were counted when the log was analysed, whatever of them is at hand. */
  count: Count,
  /** `kept` is the raw output, `log` the stored log, read again, `samples` the sample events alone. */
  from: z.enum(['kept', 'log', 'samples']),
  /** Whether all are at hand; else it is the first of them. */
  complete: z.boolean(),
};

export const FindingMatches = z.object({
  ...AtHand,
  /** In the order of the log. */
  events: z.array(MatchedEvent),
  /** Place of each among all matches that are at hand, from 0. */
  places: z.array(Count),
  page: Count,
  per: Count,
  more: z.boolean(),
});
export type FindingMatches = z.output<typeof FindingMatches>;

export const FindingGroups = z.object({
  ...AtHand,
  field: z.string(),
  /** Events that were looked at. */
  events: Count,
  /** The most frequent values first; the first 1,000 characters of each, null where the field is absent. */
  groups: z.array(z.object({ value: z.string().nullable(), count: Count })),
  /** Events with other values. */
  others: Count,
  /** Different values, of which the first 10,000 are counted. */
  values: z.object({ count: Count, more: z.boolean() }),
});
export type FindingGroups = z.output<typeof FindingGroups>;

/** The reading of a stored log again for all matches of a finding. */
export const MatchGathering = z.object({
  /** Why it cannot be done, in a sentence; null where it can. */
  refused: z.string().nullable(),
  last: z
    .object({
      status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
      /** How far it is, or what came of it. */
      detail: z.string().nullable(),
    })
    .nullable(),
});
export type MatchGathering = z.output<typeof MatchGathering>;

const Field = z.string().min(1).max(500);

/** All matched events of a finding, beyond its sample events. */
export const matchOperations = {
  listFindingMatches: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/matches',
    summary: 'Matched events of a finding in the order of the log, 50 a page; of one value of a field, or all',
    access: 'anyone',
    params: PathId,
    /** `field` without `value` asks for the events that do not have it. */
    query: z.object({ page: Page, field: Field.optional(), value: z.string().max(1000).optional() }),
    heavy: true,
    success: [200],
    output: FindingMatches,
    errors: ['not_found'],
  },
  groupFindingMatches: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/match-groups',
    summary: 'How often each value of a field occurs among the matched events of a finding',
    access: 'anyone',
    params: PathId,
    query: z.object({ field: Field }),
    heavy: true,
    success: [200],
    output: FindingGroups,
    errors: ['not_found'],
  },
  gatherFindingMatches: {
    area: 'report',
    method: 'POST',
    path: '/jobs/findings/{id}/matches',
    summary: 'Have the stored log read again for all matches of a finding; a repeat names the same task',
    access: 'user',
    params: PathId,
    success: [202],
    output: z.object({ task_id: z.number().int(), already: z.boolean() }),
    errors: ['not_found', 'conflict'],
    limit: 'resubmit',
  },
  getMatchGathering: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/gathering',
    summary: 'How the reading of the stored log for all matches of a finding goes, or went the last time',
    access: 'user',
    params: PathId,
    success: [200],
    output: MatchGathering,
    errors: ['not_found'],
  },
  exportFindingMatches: {
    area: 'report',
    method: 'GET',
    path: '/api/v1/findings/{id}/matches',
    summary: 'The matched events of a finding as JSON lines or CSV, as a download; 302 where the store sends it',
    access: 'anyone',
    params: PathId,
    query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
    heavy: true,
    success: [200, 302],
    output: null,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
