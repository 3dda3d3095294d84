import type { RuleCost, Severity } from '@svc/engine';
import { columns, counted, number, printable } from './text.ts';

export interface ProfiledRule extends Omit<RuleCost, 'rule'> {
  readonly rule_id: string | null;
  readonly title: string;
  readonly level: Severity;
  /** Of the time that all rules took. */
  readonly share: number;
}

/** What `svc rules profile --format json` prints: the rule that took most first. */
export interface RuleProfileReport {
  readonly events: number;
  /** For reading the logs too, and for measuring. */
  readonly ms: number;
  readonly rules_ms: number;
  readonly rules: readonly ProfiledRule[];
}

/** The rules that took most, for people. */
export function ruleProfileText(report: RuleProfileReport, top: number, { width }: { readonly width: number }): string {
  const { events, ms, rules_ms: rulesMs, rules } = report;
  const tried = rules.filter(({ tries }) => tries > 0);
  const shown = tried.slice(0, top);
  const table = [
    ['share', 'ms', 'tried', 'matched', 'level', 'rule'],
    ...shown.map(({ share, ms: took, tries, hits, level, title }) => [
      `${(100 * share).toFixed(1)} %`,
      took.toFixed(1),
      number(tries),
      number(hits),
      level,
      printable(title),
    ]),
  ];
  const more = tried.length > shown.length ? `; ${counted(tried.length - shown.length, 'more')} took less` : '';
  return [
    ...columns(table, width),
    '',
    `${number(events)} records in ${number(Math.round(ms))} ms, of which evaluating rules ${number(Math.round(rulesMs))} ms`,
    `${number(tried.length)} of ${counted(rules.length, 'rule')} were tried${more}`,
    '',
  ].join('\n');
}
