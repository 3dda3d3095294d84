import type { Actor } from './actor.ts';

/** Kinds of what is recorded (service 2.18); an action begins with its own. */
export const activityCategories = ['auth', 'admin', 'job', 'discussion', 'intel', 'export'] as const;
export type ActivityCategory = (typeof activityCategories)[number];

/** What is recorded of each kind, in words. */
export const activityOf: Readonly<Record<ActivityCategory, string>> = {
  auth: 'Signing in and out, attempts that failed, passwords.',
  admin: 'Accounts, API tokens, settings, workflows, workers, storage, maintenance.',
  job: 'Logs submitted, analyses cancelled, deleted or done again, tags and reviews of jobs, findings suppressed.',
  discussion: 'Comments on jobs, entities and cases.',
  intel: 'Entities, tags, alert rules, lists, alerts and cases.',
  export: 'What leaves: feeds, exports of cases and entities, findings and raw outputs.',
};

export const activityOutcomes = ['success', 'failure', 'denied'] as const;
export type ActivityOutcome = (typeof activityOutcomes)[number];

/** Longest texts of a row, in characters (resolved-platform 17). */
export const activityLimits = {
  label: 255,
  action: 80,
  targetType: 40,
  targetId: 64,
  summary: 500,
  metadata: 4000,
  requestId: 64,
  /** Rows of a page, and of an export. */
  page: 50,
  exported: 10_000,
} as const;

/** What somebody has done, for the log. */
export interface Deed {
  readonly action: `${ActivityCategory}.${string}`;
  /** Who did it, where the request itself came from nobody. */
  readonly by?: string;
  readonly target?: readonly [type: string, id: string | number];
  /** One sentence; never what somebody has written, nor a secret. */
  readonly summary: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** @default success */
  readonly outcome?: ActivityOutcome;
}

/** A row of the log as it is written; its day and place in the chain are given by the log. */
export interface NewActivity {
  readonly at: Date;
  readonly actorId: string | null;
  readonly actorLabel: string;
  readonly actorIp: string;
  readonly action: string;
  readonly category: ActivityCategory;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly outcome: ActivityOutcome;
  readonly summary: string;
  /** JSON. */
  readonly metadata: string | null;
  readonly requestId: string;
}

export interface Activity extends NewActivity {
  readonly id: number;
}

export function categoryOf(action: Deed['action']): ActivityCategory {
  // The type says that each begins with one.
  return action.slice(0, action.indexOf('.')) as ActivityCategory;
}

/** Who did it, in words that stay when the account goes (resolved-platform 15.2). */
export function actorLabel(actor: Actor): string {
  if (actor.kind === 'anonymous') return 'anonymous';
  return actor.token === undefined ? actor.email : `api token ${actor.token.prefix} for ${actor.email}`;
}
