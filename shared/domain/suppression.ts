import type { Reviewer } from './review.ts';

/** How the value of a field is held against the one of a condition; letters of either case are the same, as in Sigma. */
export const suppressionTests = ['equals', 'contains', 'startswith', 'endswith'] as const;
export type SuppressionTest = (typeof suppressionTests)[number];

/** Texts in characters; `looked` is how many findings a preview holds against it. */
export const suppressionLimits = { reason: 2000, conditions: 10, field: 200, value: 4000, looked: 100 } as const;

export interface SuppressionCondition {
  readonly field: string;
  readonly test: SuppressionTest;
  readonly value: string;
}

/** What somebody says is ordinary here: the matches of a rule, all of them or those that meet every condition. */
export interface Suppression {
  readonly id: number;
  /** Null for one of the whole instance. */
  readonly caseId: number | null;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly conditions: readonly SuppressionCondition[];
  readonly reason: string;
  /** Written down from an event of a private job: what it says is for administrators. */
  readonly isPrivate: boolean;
  readonly author: Reviewer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** It was taken back, and goes when no finding is marked by it any more. */
  readonly removedAt: Date | null;
  /** When all findings were last marked as it says; null while that is being done. */
  readonly appliedAt: Date | null;
}

/** Whether it holds at this time. */
export function isInForce({ expiresAt, removedAt }: Suppression, now: Date): boolean {
  return removedAt === null && (expiresAt === null || expiresAt > now);
}

/** Whether anything of a finding is left that counts. */
export function isCounting({
  count,
  suppressed = 0,
}: {
  readonly count: number;
  readonly suppressed?: number | undefined;
}): boolean {
  return count > suppressed;
}

/** What of a matched event conditions ask for. */
export interface SuppressibleEvent {
  readonly computer: string | null;
  readonly channel: string | null;
  readonly eventId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Whether a matched event meets all conditions; a field that it has not meets none. */
export function meetsConditions(conditions: readonly SuppressionCondition[], event: SuppressibleEvent): boolean {
  return conditions.every(({ field, test, value }) => {
    const wanted = value.toLowerCase();
    return valuesOf(event, field).some((own) => tests[test](own.toLowerCase(), wanted));
  });
}

const tests: Readonly<Record<SuppressionTest, (own: string, wanted: string) => boolean>> = {
  equals: (own, wanted) => own === wanted,
  contains: (own, wanted) => own.includes(wanted),
  startswith: (own, wanted) => own.startsWith(wanted),
  endswith: (own, wanted) => own.endsWith(wanted),
};

/** The head of an event by the names that it has among the fields of Windows. */
const heads: Readonly<Record<string, (event: SuppressibleEvent) => string | null>> = {
  Computer: ({ computer }) => computer,
  Channel: ({ channel }) => channel,
  EventID: ({ eventId }) => eventId,
};

function valuesOf(event: SuppressibleEvent, field: string): string[] {
  const own = Object.hasOwn(event.fields, field) ? event.fields[field] : heads[field]?.(event);
  const values: readonly unknown[] = Array.isArray(own) ? own : [own];
  return values.flatMap((value) => {
    if (value === null || value === undefined) return [];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
