import { z } from 'zod';
import { Page, PathId, Severity } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** A finding without its events, which are loaded only when asked for. */
export const FindingRow = z.object({
  id: z.number().int(),
  task_result_id: z.number().int(),
  /** The engine whose word it is: the built-in one's where it found the rule, else that of the worst finding. */
  tool: z.string(),
  /** All engines that found the rule, where several did. */
  found_by: z.array(z.string()).optional(),
  rule_id: z.string().nullable(),
  rule_name: z.string(),
  severity: Severity,
  /** Matched events; where several engines found the rule each record once, or as many as one of them has most. */
  count: z.number().int().min(1),
  /** Those of its matches that the instance has suppressed, where there are any; with all of them it counts nowhere. */
  suppressed: z.number().int().min(1).optional(),
  tags: z.array(z.string()),
  /** Tells the same detection in other jobs. */
  rule_signature: z.string(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  has_details: z.boolean(),
  has_rule: z.boolean(),
});
export type FindingRow = z.output<typeof FindingRow>;

export const FindingList = z.object({
  findings: z.array(FindingRow),
  page: z.number().int(),
  total: z.number().int(),
  total_pages: z.number().int(),
});
export type FindingList = z.output<typeof FindingList>;

/** One matched event: the head that every report shows, and its flat fields. */
export const MatchedEvent = z.object({
  record_id: z.string().nullable(),
  timestamp: z.string().nullable(),
  computer: z.string().nullable(),
  channel: z.string().nullable(),
  event_id: z.string().nullable(),
  fields: z.record(z.string(), z.unknown()),
  /** The engines that matched this record, where several found the rule. */
  found_by: z.array(z.string()).optional(),
});
export type MatchedEvent = z.output<typeof MatchedEvent>;

export const FindingEvents = z.object({ events: z.array(MatchedEvent), max: z.number().int() });
export type FindingEvents = z.output<typeof FindingEvents>;

/** Findings with kept events that name a value. */
export const FindingsNaming = z.object({
  findings: z.array(
    z.object({
      id: z.number().int(),
      /** Kept events that name it, of those that are kept. */
      events: z.number().int().min(1),
      kept: z.number().int().min(1),
    }),
  ),
});
export type FindingsNaming = z.output<typeof FindingsNaming>;

export const FindingRule = z.object({
  rule_name: z.string(),
  language: z.enum(['yaml', 'sql']),
  content: z.string(),
  author: z.string().nullable(),
});
export type FindingRule = z.output<typeof FindingRule>;

/** One element of the findings download (resolved-platform 4). */
export const ExportedFinding = z.object({
  tool: z.string(),
  /** All engines of the job that found this rule, this one among them. */
  found_by: z.array(z.string()),
  rule_id: z.string().nullable(),
  rule_name: z.string(),
  severity: Severity,
  count: z.number().int(),
  /** Those of its matches that the instance has suppressed; with all of them it counts nowhere. */
  suppressed: z.number().int().min(0),
  tags: z.array(z.string()),
  details: z.array(z.record(z.string(), z.unknown())),
  rule_signature: z.string(),
  rule_author: z.string().nullable(),
});
export type ExportedFinding = z.output<typeof ExportedFinding>;

export const findingOperations = {
  listFindings: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/findings',
    summary: 'Findings of a job, worst first, 1,000 a page',
    access: 'anyone',
    params: PathId,
    query: z.object({ severity: Severity.optional(), page: Page }),
    heavy: true,
    success: [200],
    output: FindingList,
    errors: ['not_found'],
  },
  exportFindings: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/findings.json',
    summary: 'All findings with their sample events, as a download',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: z.array(ExportedFinding),
    errors: ['not_found'],
  },
  exportFindingsCsv: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/findings.csv',
    summary: 'All findings as a table (RFC 4180), a line each, as a download',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: null,
    bytes: 'text/csv; charset=utf-8',
    errors: ['not_found'],
  },
  getFindingsNaming: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/findings-naming',
    summary:
      'The findings of a job whose sample events name a value: a host, an account, an address, a hash, a program',
    access: 'anyone',
    params: PathId,
    query: z.object({ value: z.string().trim().min(1).max(500) }),
    heavy: true,
    success: [200],
    output: FindingsNaming,
    errors: ['not_found'],
  },
  getFindingEvents: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/events',
    summary: 'Sample events of a finding',
    access: 'anyone',
    params: PathId,
    success: [200],
    output: FindingEvents,
    errors: ['not_found'],
  },
  getFindingRule: {
    area: 'report',
    method: 'GET',
    path: '/jobs/findings/{id}/rule',
    summary: 'Source of the rule behind a finding',
    access: 'anyone',
    params: PathId,
    success: [200],
    output: FindingRule,
    errors: ['not_found', 'no_rule'],
  },
} as const satisfies Record<string, Operation>;
