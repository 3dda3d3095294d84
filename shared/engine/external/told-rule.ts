import type { Rule } from '../sigma/rule.ts';
import { severities, type Severity } from '../severity.ts';

/** Whose results are read: Hayabusa's, Chainsaw's, Zircolite's and ChopChopGo's (resolved-platform 2.4). */
export type ExternalEngine = 'evtx-timeline' | 'evtx-hunt' | 'sigma-multi' | 'sigma-text';

/** A rule as results name it. */
export interface ToldRule {
  readonly engine: ExternalEngine;
  readonly id: string | null;
  readonly title: string;
  /** Null where the engine does not say it. */
  readonly level: Severity | null;
  readonly tags: readonly string[];
  readonly author: string | null;
}

/** What tells rules apart: their ids, and of those without one their titles. */
export function keyOfRule({ id, title }: Pick<Rule, 'id' | 'title'>): string {
  return id?.toLowerCase() ?? `\u0000${title}`;
}

const levels: Readonly<Record<string, Severity>> = {
  ...Object.fromEntries(severities.map((severity) => [severity, severity])),
  // Hayabusa has one above critical, for hosts that it was told are.
  emergency: 'critical',
  emer: 'critical',
  crit: 'critical',
  med: 'medium',
};

/** Level by its name, whole or short, in any case (resolved-platform 2.5): what is none of them is informational. */
export function severityOf(level: string): Severity {
  const name = level.trim().toLowerCase();
  return Object.hasOwn(levels, name) ? levels[name]! : 'informational';
}
