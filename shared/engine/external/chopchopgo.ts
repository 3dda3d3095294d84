import type { JsonObject } from '../readers/json/json-value.ts';
import { syslogTime } from '../readers/syslog/syslog-time.ts';
import { splitTags } from './sigma-tags.ts';
import type { ToldMatch } from './told-match.ts';
import { textOf, textsOf } from './values.ts';

/** Names of values as audit records have them. */
const auditNames: Readonly<Record<string, string>> = { Exe: 'exe', PID: 'pid', Terminal: 'terminal' };

/** Whether an object or a row of a table is one of ChopChopGo's results. */
export function isChopChopGo(names: ReadonlySet<string>): boolean {
  const isOfLog = names.has('Message') || (names.has('User') && names.has('Exe'));
  return names.has('Timestamp') && names.has('Tags') && names.has('Author') && (isOfLog || names.has('Title'));
}

/**
 * An event and the first rule that it matches, of which tables may tell no more than its tags.
 * @param now when the results were made: times without a year are not later.
 */
export function chopChopGoMatch(row: JsonObject, now: number): ToldMatch {
  const tags = Array.isArray(row.Tags) ? textsOf(row.Tags) : splitTags(textOf(row.Tags) ?? '');
  const event = Object.entries(row).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value);
    if (text === null || text === '' || about.has(name)) return [];
    return [[Object.hasOwn(auditNames, name) ? auditNames[name]! : name, text]];
  });
  return {
    rule: {
      engine: 'sigma-text',
      id: textOf(row.ID) || null,
      title: textOf(row.Title, row.Titles) || `Rule not named (${tags.join(', ') || 'no tags'})`,
      level: null,
      tags,
      author: textOf(row.Author) || null,
    },
    head: { timestamp: syslogTime(textOf(row.Timestamp) ?? '', now) },
    event: Object.fromEntries(event),
  };
}

/** What is said of the rule. */
const about = new Set(['Tags', 'Author', 'ID', 'Title', 'Titles']);
