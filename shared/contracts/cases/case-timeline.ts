import { caseLimits, severities } from '@svc/domain';
import { z } from 'zod';
import { Id, JobStatus, Milliseconds, PathId, Severity, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { Analytics, EventsTimeline } from '../report/operations.ts';

const Count = z.number().int().min(0);

/** A comma list; names of no severity are passed over (resolved-intel 16.4). */
const Severities = z
  .string()
  .transform((list) => severities.filter((one) => list.split(',').includes(one)))
  .pipe(z.array(Severity))
  .optional();

const clock = `must be a whole number of seconds, at most ${caseLimits.clockOffset} ahead or behind`;
/** Seconds; fields of a form are text. */
const ClockOffset = z.preprocess(
  (sent) => (typeof sent === 'string' && /^\s*-?\d{1,16}\s*$/.test(sent) ? Number(sent) : sent),
  z.int(clock).min(-caseLimits.clockOffset, clock).max(caseLimits.clockOffset, clock),
);

/** A job of a case on its line of time; times are what the case makes of them by the clock. */
export const CaseTimelineJob = z.object({
  id: Id,
  filename: z.string(),
  status: JobStatus,
  /** Seconds that its clock was ahead, which are taken off its times. */
  clock_offset: z.number().int(),
  /** Whether its hours are in the histogram. */
  covered: z.boolean(),
  /** Matches of the histogram that are its. */
  matches: Count,
  /** UTC ISO 8601 of its first and last match; null where none has a time. */
  first: z.string().nullable(),
  last: z.string().nullable(),
});
export type CaseTimelineJob = z.output<typeof CaseTimelineJob>;

/** A sample event of a finding, in order of time with those of other jobs. */
export const CaseEvent = z.object({
  /** UTC ISO 8601, by the clock of the case; null where the event has none. */
  time: z.string().nullable(),
  /** As the log has it. */
  logged: z.string().nullable(),
  job_id: Id,
  finding_id: Id,
  rule_name: z.string(),
  severity: Severity,
  /** Tactic that its rule is shown under. */
  grouping: z.string(),
  computer: z.string().nullable(),
  channel: z.string().nullable(),
  event_id: z.string().nullable(),
  record_id: z.string().nullable(),
});
export type CaseEvent = z.output<typeof CaseEvent>;

/** What many logs say of one story, by hour and event by event (resolved-intel 16.4). */
export const CaseTimeline = z.object({
  /** Jobs that are looked at and have stored hours, of all that are looked at. */
  covered: Count,
  total: Count,
  jobs: z.array(CaseTimelineJob),
  /** Left out where the site shows no histogram of hours. */
  timeline: Analytics.shape.timeline,
  timeline_tactics: Analytics.shape.timeline_tactics,
  /** The earliest first, those without a time last. */
  key_events: z.array(CaseEvent),
  key_events_total: Count,
});
export type CaseTimeline = z.output<typeof CaseTimeline>;

/** Two logs of one host that tell the same things at different times. */
export const ClockHint = z.object({
  /** The job whose clock is ahead of the other's, in seconds, when offsets that are set are taken off. */
  job_id: Id,
  other_id: Id,
  seconds: z.number().int().min(1),
  host: z.string(),
  /** Things that both tell, and those of them that differ by this. */
  compared: z.number().int().min(1),
  agreeing: z.number().int().min(1),
  /** One of them, in words, and when each log has it, by the clock of the case. */
  example: z.string(),
  time: z.string(),
  other_time: z.string(),
});
export type ClockHint = z.output<typeof ClockHint>;

export const ClockHints = z.object({ hints: z.array(ClockHint) });
export type ClockHints = z.output<typeof ClockHints>;

export const caseTimelineOperations = {
  getCaseTimeline: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/timeline',
    summary: 'Matches by hour and tactic over the jobs of a case that its viewer sees, and their key events',
    access: 'member',
    params: PathId,
    query: z.object({ job_id: Id.optional(), severity: Severities, entity_id: Id.optional() }),
    heavy: true,
    success: [200],
    output: CaseTimeline,
    errors: ['case_not_found', 'not_found', 'feature_off'],
  },
  getCaseEvents: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/events-timeline',
    summary: 'Alerts of the jobs of a case on one line of time, 2,000 markers at most',
    access: 'member',
    params: PathId,
    query: z.object({
      frm: Milliseconds.optional(),
      to: Milliseconds.optional(),
      resolution: wholeNumber(1, 86_400).optional(),
      /** Only its alerts; lanes and extent stay those of all. */
      job_id: Id.optional(),
      severity: Severities,
    }),
    heavy: true,
    success: [200],
    output: EventsTimeline,
    errors: ['case_not_found', 'not_found', 'feature_off'],
  },
  getClockHints: {
    area: 'cases',
    method: 'GET',
    path: '/intel/cases/{id}/clock-hints',
    summary: 'Where logs of one host in a case tell the same processes and records at different times',
    access: 'member',
    params: PathId,
    heavy: true,
    success: [200],
    output: ClockHints,
    errors: ['case_not_found'],
  },
  setCaseClock: {
    area: 'cases',
    method: 'POST',
    path: '/intel/cases/{id}/jobs/{job}/clock',
    summary: 'How many seconds the clock of a job’s host was ahead: they are taken off its times in the case',
    access: 'member',
    params: z.object({ id: Id, job: Id }),
    body: z.object({ clock_offset: ClockOffset }),
    success: [200],
    output: z.object({ clock_offset: z.number().int() }),
    errors: ['case_not_found', 'not_found'],
  },
} as const satisfies Record<string, Operation>;
