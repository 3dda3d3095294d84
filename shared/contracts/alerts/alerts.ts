import { entityTypes } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { MatchedEvent } from '../report/findings.ts';

/** That a rule matched an entity of a job, or a job. */
export const Alert = z.object({
  id: z.number().int(),
  at: Timestamp,
  /** Null while it waits. */
  acknowledged_at: Timestamp.nullable(),
  rule: z.object({
    id: z.number().int(),
    name: z.string(),
    is_shared: z.boolean(),
    /** Address of its owner, for administrators who look at the alerts of everybody. */
    owner: z.string().optional(),
  }),
  job: z.object({ id: z.number().int(), filename: z.string() }),
  /** Of a rule on entities. */
  entity: z.object({ id: z.number().int(), type: z.enum(entityTypes), value: z.string() }).optional(),
});
export type Alert = z.output<typeof Alert>;

const Alerts = z.object({ total: z.number().int(), alerts: z.array(Alert) });
/** The newest of each kind, and how many there are. */
export const AlertLists = z.object({ entities: Alerts, jobs: Alerts });

/** Why there is an alert. */
export const AlertReason = z.object({
  /** The condition of the rule as it is now, by its terms. */
  terms: z.array(
    z.object({
      text: z.string(),
      /** Whether it holds now; null where that cannot be told. */
      holds: z.boolean().nullable(),
    }),
  ),
  /** The rule was changed after the alert. */
  is_edited: z.boolean(),
  /** Scanned events of the job that name the entity; null of an alert on a job. */
  events: z.number().int().nullable(),
  /** Findings of the job whose matched events name the entity; of an alert on a job, its worst. */
  findings: z.array(
    z.object({
      id: z.number().int(),
      rule_name: z.string(),
      severity: z.string(),
      count: z.number().int(),
      /** Of the first findings: the first of their kept events that names the entity. */
      event: MatchedEvent.nullable(),
    }),
  ),
});
export type AlertReason = z.output<typeof AlertReason>;

const Unread = z.object({ unread: z.number().int() });

/** What rules have matched (resolved-intel 14.1). */
export const alertOperations = {
  listAlerts: {
    area: 'alerts',
    method: 'GET',
    path: '/intel/rules/alerts',
    summary:
      'The 100 newest alerts of each kind: the caller’s, and for administrators those of shared rules; of jobs that the caller does not see, none',
    access: 'member',
    query: z.object({
      rule: Id.optional(),
      entity: Id.optional(),
      /** Also those that were acknowledged. */
      all: Switch.default(false),
      /** Those of all people, for administrators. */
      everybody: Switch.default(false),
    }),
    success: [200],
    output: AlertLists,
    errors: ['forbidden'],
  },
  explainAlert: {
    area: 'alerts',
    method: 'GET',
    path: '/intel/rules/alerts/{id}/why',
    summary:
      'Which terms of the rule hold for the entity of an alert, and the findings of the job that name it, with events',
    access: 'member',
    params: PathId,
    success: [200],
    output: AlertReason,
    errors: ['not_found'],
  },
  explainJobAlert: {
    area: 'alerts',
    method: 'GET',
    path: '/intel/rules/job-alerts/{id}/why',
    summary: 'Which terms of the rule hold for the job of an alert, and its worst findings, with events',
    access: 'member',
    params: PathId,
    success: [200],
    output: AlertReason,
    errors: ['not_found'],
  },
  acknowledgeAlert: {
    area: 'alerts',
    method: 'POST',
    path: '/intel/rules/alerts/{id}/ack',
    summary: 'Acknowledge an alert on an entity; answers how many alerts are left',
    access: 'member',
    params: PathId,
    success: [200],
    output: Unread,
    errors: ['not_found'],
  },
  acknowledgeJobAlert: {
    area: 'alerts',
    method: 'POST',
    path: '/intel/rules/job-alerts/{id}/ack',
    summary: 'Acknowledge an alert on a job; answers how many alerts are left',
    access: 'member',
    params: PathId,
    success: [200],
    output: Unread,
    errors: ['not_found'],
  },
  acknowledgeAlerts: {
    area: 'alerts',
    method: 'POST',
    path: '/intel/rules/alerts/ack-all',
    summary: 'Acknowledge all alerts of the caller, on entities and on jobs; what watched jobs tell stays',
    access: 'member',
    success: [200],
    output: Unread,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
