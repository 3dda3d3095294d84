import type { LogEvent } from '../events/log-event.ts';
import type { EventTables } from '../readers/reader.ts';
import type { Rule } from '../sigma/rule.ts';
import { RuleGroup } from './group.ts';
import { indexRules, type IndexedRules } from './indexed-rules.ts';
import { Memo } from './memo.ts';

/** Matches the events of one run against a set of rules; groups are built as routes are first met. */
export class Matcher {
  readonly #rules: IndexedRules;
  readonly #tables: EventTables;
  readonly #memo: Memo;
  readonly #groups: (RuleGroup | undefined)[] = [];

  constructor(rules: readonly Rule[], tables: EventTables) {
    this.#rules = indexRules(rules);
    this.#tables = tables;
    this.#memo = new Memo(tables.values);
  }

  /** Calls `matched` with the index of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    const { route } = event;
    const group = (this.#groups[route.index] ??= new RuleGroup(this.#rules, route, this.#tables, this.#memo));
    if (!group.isEmpty) group.match(event, matched);
  }
}
