import { and, asc, desc, gt, isNull, not, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { eventPacks, findingEvents, findings, suppressedFindings, taskResults } from '../schema/index.ts';

/** Everything of a finding but what is large. */
export const findingColumns = {
  id: findings.id,
  jobId: findings.jobId,
  taskResultId: findings.taskResultId,
  engine: taskResults.engine,
  ruleId: findings.ruleId,
  ruleName: findings.ruleName,
  ruleAuthor: findings.ruleAuthor,
  severity: findings.severity,
  count: findings.count,
  suppressed: findings.suppressed,
  tags: findings.tags,
  firstSeen: findings.firstSeen,
  lastSeen: findings.lastSeen,
  hosts: findings.hosts,
  parts: findings.parts,
  // Of those that it stands for any may have some.
  hasEvents: sql<boolean>`${findings.eventsKept} > 0 or coalesce(${findings.parts} @? '$[*].kept ? (@ > 0)', false)`,
  hasRule: sql<boolean>`coalesce(${findings.ruleSource}, ${findings.ruleSourceId}::text) is not null`,
};

/** No finding of another engine stands for it. */
export const standing = isNull(findings.mergedInto);

/** What is left of its matches counts: the instance has not suppressed all of them, and no other stands for it. */
export const counting = and(standing, gt(findings.count, findings.suppressed))!;

/** The finding that stands for it, or itself. */
export const listedAs = sql<number>`coalesce(${findings.mergedInto}, ${findings.id})`.mapWith(Number);

/** Whether a finding is suppressed as a whole, without looking at more of all findings than have a mark. */
export function isSuppressedWhole(findingId: PgColumn): SQL {
  const marked = sql`select ${suppressedFindings.findingId} from ${suppressedFindings}`;
  return sql`${findingId} in (select ${findings.id} from ${findings} where ${findings.id} in (${marked}) and ${not(counting)})`;
}

/** The sample events of a finding that the database keeps. */
export const sampleEvents = sql<string | null>`coalesce(${findingEvents.inOrder}, ${findingEvents.events}::json)::text`;

/** Where they are. */
export const places = {
  id: findings.id,
  listedAs,
  parts: findings.parts,
  inRow: sampleEvents,
  storageKey: eventPacks.storageKey,
  at: findings.eventsAt,
  bytes: findings.eventsBytes,
};

/** Of equal ones those of the first task come first, whichever task was done first. */
export const worstFirst = [
  asc(findings.severityRank),
  desc(findings.count),
  asc(findings.taskResultId),
  asc(findings.id),
];
