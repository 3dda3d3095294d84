import type { JsonObject } from '../readers/json/json-value.ts';
import type { ToldMatch } from './told-match.ts';
import { severityOf, type ToldRule } from './told-rule.ts';
import { textOf, textsOf } from './values.ts';

/** Whether an object is one of Zircolite's results, whose events stand under `matches`. */
export function isZircolite(names: ReadonlySet<string>): boolean {
  return names.has('title') && names.has('count') && (names.has('rule_level') || names.has('sigma'));
}

/** Whether the rows of a table are Zircolite's. */
export function isZircoliteTable(names: ReadonlySet<string>): boolean {
  return names.has('rule_title') && names.has('rule_level') && names.has('rule_count');
}

/** The rule of a result by what stands before its events; undefined where that is not its name. */
export function zircoliteRule(head: JsonObject): ToldRule | undefined {
  const title = textOf(head.title);
  if (title === null || title === '') return undefined;
  return {
    engine: 'sigma-multi',
    id: textOf(head.id) || null,
    title,
    level: severityOf(textOf(head.rule_level, head.level) ?? ''),
    tags: textsOf(head.tags),
    author: null,
  };
}

/** An event of a rule: one of Windows, or a record with the names that its product has. */
export function zircoliteMatch(rule: ToldRule, match: JsonObject): ToldMatch {
  const { row_id: _row, OriginalLogfile: _file, ...event } = match;
  return { rule, head: {}, event };
}

export function zircoliteRow(row: JsonObject): ToldMatch | undefined {
  const { rule_title: title, rule_description: _text, rule_level: level, rule_count: _count, ...match } = row;
  const rule = zircoliteRule({ title, level });
  return rule && zircoliteMatch(rule, Object.fromEntries(Object.entries(match).filter(([, value]) => value !== '')));
}
