import { hasRole, type Actor } from './actor.ts';
import type { Severity } from './severity.ts';

export const caseStatuses = ['open', 'monitoring', 'closed'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** What a case has links to. */
export const caseLinkKinds = ['entity', 'job'] as const;
export type CaseLinkKind = (typeof caseLinkKinds)[number];

/** Longest name of a case, in characters. */
export const caseNameLength = 200;

/** Texts in characters, clocks in seconds (resolved-intel 16.1, 16.3). */
export const caseLimits = {
  summary: 8_000,
  narrative: 8_000,
  linkNote: 500,
  /** Jobs or entities that one request adds. */
  atOnce: 50,
  /** Entities of a job that one request adds. */
  jobEntitiesAtOnce: 500,
  /** Earlier narratives that are kept. */
  narratives: 20,
  collaborators: 50,
  /** Farthest that the clock of a job's host may be off. */
  clockOffset: 10 * 366 * 86_400,
} as const;

/** An investigation: a group of jobs and entities (service 2.4), which it does not own. */
export interface Case {
  readonly id: number;
  readonly name: string;
  readonly summary: string | null;
  readonly status: CaseStatus;
  readonly severity: Severity | null;
  /** Account id; null when the account is gone. */
  readonly ownerId: string | null;
  readonly isShared: boolean;
  /** Account ids of those who work on it beside its owner. */
  readonly collaboratorIds: readonly string[];
  readonly narrative: string | null;
  /** Grows with each narrative that is saved. */
  readonly narrativeVersion: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly closedAt: Date | null;
}

type Belonging = Pick<Case, 'ownerId' | 'isShared' | 'collaboratorIds'>;

/** Members see shared cases, their own, and those that they work on; administrators all. Private jobs in them stay private. */
export function canViewCase(one: Belonging, actor: Actor): boolean {
  if (actor.kind === 'anonymous' || !hasRole(actor, 'member')) return false;
  return one.isShared || canEditCase(one, actor);
}

/** Its name, summary, severity, status and narrative, and which links are removed: for its owner, those named on it, and administrators. */
export function canEditCase(one: Belonging, actor: Actor): boolean {
  if (actor.kind === 'anonymous' || !hasRole(actor, 'member')) return false;
  return one.collaboratorIds.includes(actor.userId) || canManageCase(one, actor);
}

/** Who sees it, and whether it stays: for its owner and administrators. */
export function canManageCase({ ownerId }: Pick<Case, 'ownerId'>, actor: Actor): boolean {
  if (actor.kind === 'anonymous' || !hasRole(actor, 'member')) return false;
  return ownerId === actor.userId || hasRole(actor, 'admin');
}

/** Why a thing is in a case, for who has put it there and those who may change the case. */
export function canNoteLink(one: Belonging, link: { readonly addedBy: string | null }, actor: Actor): boolean {
  const isOwn = actor.kind === 'account' && link.addedBy === actor.userId;
  return (isOwn && canViewCase(one, actor)) || canEditCase(one, actor);
}

/** Seconds that the clock of a job's host was ahead, of what a case says about the job. */
export interface JobClock {
  readonly clockOffset: number;
}

/** A time of a log, in milliseconds, as the case tells it beside those of other logs. */
export function onCaseClock(ms: number, { clockOffset }: JobClock): number {
  return ms - clockOffset * 1000;
}

/** A time that the case tells as the log of a job has it. */
export function onJobClock(ms: number, { clockOffset }: JobClock): number {
  return ms + clockOffset * 1000;
}
