import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventTables } from '../readers/reader.ts';
import { textOfFields } from '../sigma/derived-fields.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsOf } from '../sigma/source-rows.ts';
import { RuleGroup } from './group.ts';
import { indexRules, type IndexedRules } from './indexed-rules.ts';
import { Memo } from './memo.ts';

/** Rules that routes may bind in groups of their own: more than logs need, some seconds and 100 MB at most. */
const mostBound = 50_000;

/** Matches the events of one run against a set of rules; groups are built as routes are first met. */
export class Matcher {
  readonly #rules: IndexedRules;
  readonly #tables: EventTables;
  readonly #memo: Memo;
  readonly #groups: (RuleGroup | undefined)[] = [];
  readonly #shared = new Map<string, RuleGroup>();
  #left = mostBound;

  constructor(rules: readonly Rule[], tables: EventTables) {
    this.#rules = indexRules(rules);
    this.#tables = tables;
    this.#memo = new Memo(tables.values);
  }

  /** Whether new routes have to share groups, as those of a log made to do harm have. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Calls `matched` with the index of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    const group = this.#groups[event.route.index] ?? this.#groupOf(event.route);
    if (!group.isEmpty) group.match(event, matched);
  }

  #groupOf(route: Route): RuleGroup {
    const isKept = route.index >= 0;
    const group = isKept && !this.isFull ? this.#build(route) : this.#sharedBy(route);
    if (isKept) this.#groups[route.index] = group;
    return group;
  }

  /** The group of all routes that rules see alike; what tells these apart is asked of each event. */
  #sharedBy(route: Route): RuleGroup {
    const key = JSON.stringify([textOfFields(route), rowsOf(route)]);
    let group = this.#shared.get(key);
    if (group === undefined) {
      group = this.#build({ ...route, fixed: new Map() });
      this.#shared.set(key, group);
    }
    return group;
  }

  #build(route: Route): RuleGroup {
    const group = new RuleGroup(this.#rules, route, this.#tables, this.#memo);
    this.#left -= group.bound;
    return group;
  }
}
