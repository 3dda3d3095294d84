import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventTables } from '../readers/reader.ts';
import { textOfFields } from '../sigma/derived-fields.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsOf } from '../sigma/source-rows.ts';
import { Memo } from './memo.ts';
import type { RuleProfile } from './rule-profile.ts';
import { MatchRun, type RuleGroup, View } from './view.ts';

/** More sources than logs have; what was built up for so many is not worth keeping. */
const mostRoutes = 4096;

/** Matches the events of one run against a set of rules; groups are built as routes are first met. */
export class Matcher {
  readonly #run: MatchRun;
  readonly #groups: (RuleGroup | undefined)[] = [];
  readonly #views = new Map<string, View>();

  constructor(rules: readonly Rule[], tables: EventTables) {
    this.#run = new MatchRun(rules, tables, new Memo(tables.values));
  }

  /** Whether the run has met so many sources that it should not be used for another log. */
  get isFull(): boolean {
    return this.#run.tables.routes.size > mostRoutes;
  }

  /**
   * Calls `matched` with the index of each rule that holds for the event.
   * @param route its route, where that has been asked for already.
   * @param profile measures what the rules take for this event.
   */
  match(event: LogEvent, matched: (rule: number) => void, route = event.route, profile?: RuleProfile): void {
    (this.#groups[route.index] ?? this.#groupOf(route)).match(event, matched, profile);
  }

  #groupOf(route: Route): RuleGroup {
    const key = JSON.stringify([textOfFields(route), rowsOf(route)]);
    let view = this.#views.get(key);
    if (view === undefined) this.#views.set(key, (view = new View(this.#run, route)));
    const group = view.group(route);
    if (route.index >= 0) this.#groups[route.index] = group;
    return group;
  }
}
