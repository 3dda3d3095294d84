import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { ValueTable } from '../events/value-table.ts';
import type { Rule } from '../sigma/rule.ts';
import { RuleGroup } from './group.ts';
import { Memo } from './memo.ts';

/** Matches the events of one run against a set of rules; groups are built as routes are first met. */
export class Matcher {
  readonly #rules: readonly Rule[];
  readonly #fields: FieldTable;
  readonly #values: ValueTable;
  readonly #memo: Memo;
  readonly #groups: (RuleGroup | undefined)[] = [];

  constructor(rules: readonly Rule[], fields: FieldTable, values: ValueTable) {
    this.#rules = rules;
    this.#fields = fields;
    this.#values = values;
    this.#memo = new Memo(values);
  }

  /** Calls `matched` with the index of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    const { route } = event;
    const group = (this.#groups[route.index] ??= new RuleGroup(
      this.#rules,
      route,
      this.#fields,
      this.#values,
      this.#memo,
    ));
    if (!group.isEmpty) group.match(event, matched);
  }
}
