import type { Severity } from './severity.ts';

/** The pack that ships with the service; it can be switched off, and never removed. */
export const corePackName = 'core';

/** The pack of rules that administrators write in the service itself. */
export const ownPackName = 'custom';

/** Rules older than this may miss what attackers do today (resolved-platform 21). */
export const staleAfterDays = 180;

/** Letters, digits, `.`, `_` and `-`; begins with a letter or digit. */
export const packNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** One import of a rule pack; its content never changes. */
export interface RulePackVersion {
  /** Rises with every version that is imported. */
  readonly id: number;
  /** What its publisher, or whoever imported it, calls it. */
  readonly version: string;
  /** SHA-256 over the files that count. */
  readonly digest: string;
  /** URL, name of the file, or `shipped`. */
  readonly source: string;
  /** Name of the licence; null when the pack states none. */
  readonly licence: string | null;
  /** Rules and correlations that compile. */
  readonly loaded: number;
  readonly rejected: number;
  readonly retired: number;
  readonly warnings: number;
  /** ISO date of its newest rule; that of the import where no rule is dated. */
  readonly datedAt: string;
  readonly importedAt: Date;
  /** Account id; null for what the service imports by itself. */
  readonly importedBy: string | null;
  /** The object with its rule files, and the one with the report on them. */
  readonly filesKey: string;
  readonly reportKey: string;
}

/** A set of rules that is kept up to date under one name. */
export interface RulePack {
  readonly name: string;
  /** Workflows that name no packs use every one that is enabled. */
  readonly enabled: boolean;
  /** Where its next version is looked for; null for nowhere. */
  readonly url: string | null;
  /** When that was last done, and why it came to nothing; null when it was done well, or never. */
  readonly checkedAt: Date | null;
  readonly checkError: string | null;
  readonly inForce: RulePackVersion;
}

/** What an administrator has decided about one rule of a pack; it survives new versions. */
export interface PackOverride {
  readonly ruleId: string;
  readonly enabled: boolean;
  /** Null for the rule's own. */
  readonly level: Severity | null;
}

/** Whether what others publish may have moved on; rules of one’s own are as new as they are to be. */
export function isStale(packName: string, ageDays: number): boolean {
  return packName !== ownPackName && ageDays > staleAfterDays;
}

/** Days since an ISO date. */
export function daysSince(date: string, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(date)) / 86_400_000);
}

/** Which rules of its packs a task runs; every list that is not empty narrows them. */
export interface RuleFilters {
  /** The least severe level. */
  readonly minLevel: Severity | null;
  readonly statuses: readonly string[];
  readonly logSources: readonly { readonly product?: string; readonly category?: string; readonly service?: string }[];
  /** Any of them; a technique stands for its sub-techniques too. */
  readonly tags: readonly string[];
  /** Ids: no others. */
  readonly include: readonly string[];
  /** Ids: not these. */
  readonly exclude: readonly string[];
}

/** The rules of SigmaHQ, as they are released: offered where they are not, and never part of this project. */
export const sigmaHq = {
  name: 'sigmahq',
  licence: 'Detection Rule License (DRL) 1.1',
  /** Leads to the page of the newest release, which is called after it. */
  latest: 'https://github.com/SigmaHQ/sigma/releases/latest',
  archive: 'https://github.com/SigmaHQ/sigma/releases/latest/download/sigma_all_rules.zip',
} as const;

/** Jobs that the hits of rules are told over: the newest. */
export const recentJobs = 500;

/** Records that noise is told over; of fewer, few matches are chance. */
export const noise = { per: 50_000 } as const;

/**
 * Matches in 50,000 records above which a rule of this level is noisy: of medium level or worse what the core pack
 * allows itself in ordinary logs (decision 124), of low one in a thousand records, which nobody looks through any more.
 * Null where matches may be as frequent as they are.
 */
export function noisyAbove(level: Severity): number | null {
  if (level === 'informational') return null;
  return level === 'low' ? 50 : 1;
}

/** Whether a rule matches so often that it hides others. */
export function isNoisy(level: Severity, events: number, records: number): boolean {
  const most = noisyAbove(level);
  return most !== null && records >= noise.per && (events * noise.per) / records > most;
}
