import { z } from 'zod';
import { Milliseconds, PathId, Severity, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { WhatHappened } from './happened.ts';

const Count = z.number().int().min(0);
const Values = z.array(z.string());
const EntityCounts = z.array(z.object({ value: z.string(), count: Count }));

/** What the heuristics found (resolved-platform 6.2). */
export const ThreatReport = z.object({
  total_indicators: Count,
  total_categories: Count,
  categories: z.record(
    z.string(),
    z.object({
      label: z.string(),
      description: z.string(),
      severity: Severity,
      total: Count,
      indicators: z.array(z.object({ tag: z.string(), count: Count, severity: Severity, value: z.string() })),
    }),
  ),
});
export type ThreatReport = z.output<typeof ThreatReport>;

/**
 * What is derived from the matched events of a job (resolved-platform 5). What the site does not show
 * (`panels` of the job) is left out.
 */
export const Analytics = z.object({
  /** Matched events by tactic; a rule of two tactics counts in both. */
  mitre_tactics: z.record(z.string(), Count).optional(),
  timeline: z
    .array(
      z.object({
        /** Hour, UTC, as shown; `hour` is the same as `2026-08-01T09`. */
        bucket: z.string(),
        hour: z.string(),
        count: Count,
        /** Of the fullest hour. */
        pct: Count,
        segments: z.array(z.object({ tactic: z.string(), count: Count, pct: Count, color: z.string() })),
      }),
    )
    .optional(),
  timeline_tactics: z.array(z.object({ name: z.string(), key: z.string(), color: z.string() })).optional(),
  users: Values.optional(),
  computers: Values.optional(),
  ip_addresses: Values.optional(),
  hashes: Values.optional(),
  executables: Values.optional(),
  domains: Values.optional(),
  cmdline_files: Values.optional(),
  services: Values.optional(),
  tasks: Values.optional(),
  /** The most frequent of each type, with the events that name them. */
  frequent: z
    .object({
      user: EntityCounts,
      computer: EntityCounts,
      ip_address: EntityCounts,
      hash: EntityCounts,
      executable: EntityCounts,
      domain: EntityCounts,
      cmdline_file: EntityCounts,
      service: EntityCounts,
      task: EntityCounts,
    })
    .optional(),
  entities_truncated: z.boolean().optional(),
  threat_detection: ThreatReport.optional(),
  /** Matched events that this was made of; `events_capped` when there were more. */
  events_seen: Count,
  events_capped: z.boolean(),
});
export type Analytics = z.output<typeof Analytics>;

export const JobAnalyticsState = z.object({
  state: z.enum(['ready', 'pending', 'skipped', 'failed']),
  analytics: Analytics.nullable(),
});
export type JobAnalyticsState = z.output<typeof JobAnalyticsState>;

export interface ProcessNode {
  guid: string;
  pid: string;
  image: string;
  image_full: string;
  image_alts: string[];
  cmdline: string;
  user: string;
  time: string;
  computer: string;
  hashes: string[];
  hit: boolean;
  findings: number[];
  match?: boolean | undefined;
  children: ProcessNode[];
}

/** What is known of a process; what is not is empty. */
export const processFacts = {
  guid: z.string(),
  pid: z.string(),
  image: z.string(),
  image_full: z.string(),
  image_alts: z.array(z.string()),
  cmdline: z.string(),
  user: z.string(),
  time: z.string(),
  computer: z.string(),
  hashes: z.array(z.string()),
  hit: z.boolean(),
  /** Ids of the findings whose rules matched its events; none in what was derived before they were kept. */
  findings: z.array(z.number().int()),
  /** In a tree pruned to an entity, whether it is what that was asked for. */
  match: z.boolean().optional(),
};

/** A process and those that it started (resolved-platform 7). */
export const ProcessNode: z.ZodType<ProcessNode> = z.lazy(() =>
  z.object({ ...processFacts, children: z.array(ProcessNode) }),
);

export const ProcessTree = z.object({
  roots: z.array(ProcessNode),
  stats: z.object({
    processes: Count,
    hits: Count,
    inferred: Count,
    roots: Count,
    truncated: z.boolean(),
    depth_capped: z.boolean(),
    max_nodes: Count,
  }),
});
export type ProcessTree = z.output<typeof ProcessTree>;

/** Alerts on a line of time (resolved-platform 8.4); times in milliseconds since 1970. */
export const EventsTimeline = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      start: z.number().int(),
      label: z.string(),
      /** Tactic. */
      grouping: z.string(),
      /** Severity. */
      category: z.string(),
      meta: z.object({
        rule_id: z.string().nullable(),
        computer: z.string().nullable(),
        tool: z.string(),
        job_id: z.number().int(),
        finding_id: z.number().int(),
        events: Count,
        discarded: Count,
      }),
    }),
  ),
  /** Events behind the markers that are not shown by one of their own. */
  discarded: Count,
  total: Count,
  undated: Count,
  /** Steps in seconds: of these items, and of the index. */
  resolution: z.number().int(),
  base_resolution: z.number().int(),
  truncated: z.boolean(),
  /** Of the whole index; null when it is empty. */
  extent: z.tuple([z.number().int(), z.number().int()]).nullable(),
  groupings: z.array(z.string()),
  index_missing: z.boolean(),
  jobs_without_index: Count,
  colors: z.object({ severity: z.record(z.string(), z.string()), tactic: z.record(z.string(), z.string()) }),
});
export type EventsTimeline = z.output<typeof EventsTimeline>;

/**
 * How many matches of which finding on which computer lie in which step of time; three columns of one table. Empty
 * where nothing was derived; matches without a time are not among them.
 */
export const AlertMarkers = z.object({
  /** Starts of steps in UTC seconds, ascending; a step lasts `resolution` seconds. */
  starts: z.array(z.number().int()),
  /** Places in `kinds`. */
  kind: z.array(Count),
  counts: z.array(Count),
  /** Finding, place of the computer in `computers` (-1 for none), place of the tactic in `tactics`. */
  kinds: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int()])),
  computers: z.array(z.string()),
  /** That the rules are shown under, `other` among them. */
  tactics: z.array(z.string()),
  resolution: z.number().int(),
});
export type AlertMarkers = z.output<typeof AlertMarkers>;

/** A layer of the ATT&CK Navigator (resolved-platform 8.5). */
export const MitreLayer = z.object({
  name: z.string(),
  versions: z.object({ attack: z.string(), navigator: z.string(), layer: z.string() }),
  domain: z.string(),
  description: z.string(),
  sorting: z.number().int(),
  techniques: z.array(z.object({ techniqueID: z.string(), score: Count, comment: z.string(), enabled: z.boolean() })),
  gradient: z.object({ colors: z.array(z.string()), minValue: Count, maxValue: Count }),
});
export type MitreLayer = z.output<typeof MitreLayer>;

export const reportOperations = {
  getAnalytics: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/analytics',
    summary: 'Tactics, hours, named things and heuristics of the matched events',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: JobAnalyticsState,
    errors: ['not_found'],
  },
  getWhatHappened: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/what-happened',
    summary: 'What the findings of a job come to, in sentences that lead to their evidence',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: WhatHappened,
    errors: ['not_found'],
  },
  getProcessTree: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/process-tree',
    summary: 'Processes that matched events tell of, each under its parent',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: ProcessTree,
    errors: ['not_found', 'feature_off'],
  },
  getEventsTimeline: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/events-timeline',
    summary: 'Alerts on a line of time, 2,000 markers at most',
    access: 'anyone',
    params: PathId,
    query: z.object({
      frm: Milliseconds.optional(),
      to: Milliseconds.optional(),
      resolution: wholeNumber(1, 86_400).optional(),
      /** Only its alerts; lanes and extent stay those of all. */
      computer: z.string().max(500).optional(),
      severity: z
        .string()
        .transform((list) => list.split(',').filter((one) => one !== ''))
        .pipe(z.array(Severity))
        .optional(),
    }),
    heavy: true,
    success: [200],
    output: EventsTimeline,
    errors: ['not_found', 'feature_off'],
  },
  getAlertMarkers: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/alert-markers',
    summary: 'All markers of the line of time in columns, 60,000 at most, to count matches by finding, hour and host',
    access: 'anyone',
    params: PathId,
    heavy: true,
    success: [200],
    output: AlertMarkers,
    errors: ['not_found', 'feature_off'],
  },
  getMitreLayer: {
    area: 'report',
    method: 'GET',
    path: '/jobs/{id}/mitre-layer',
    summary: 'The techniques of a job as a layer for the ATT&CK Navigator, as a download',
    access: 'anyone',
    params: PathId,
    success: [200],
    output: MitreLayer,
    errors: ['not_found', 'feature_off'],
  },
} as const satisfies Record<string, Operation>;
