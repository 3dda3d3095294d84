import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import type { EventTables } from '../readers/reader.ts';
import { textOfFields } from '../sigma/derived-fields.ts';
import type { Rule } from '../sigma/rule.ts';
import { rowsOf } from '../sigma/source-rows.ts';
import { Memo } from './memo.ts';
import { MatchRun, type RuleGroup, View } from './view.ts';

/** Rules that routes may look at on their own account: more than logs need, some seconds and 100 MB at most. */
const mostBound = 50_000;

/** Matches the events of one run against a set of rules; groups are built as routes are first met. */
export class Matcher {
  readonly #run: MatchRun;
  readonly #groups: (RuleGroup | undefined)[] = [];
  readonly #views = new Map<string, { readonly view: View; unrouted: RuleGroup | undefined }>();
  #left = mostBound;

  constructor(rules: readonly Rule[], tables: EventTables) {
    this.#run = new MatchRun(rules, tables, new Memo(tables.values));
  }

  /** Whether new routes have to share groups, as those of a log made to do harm have. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Calls `matched` with the index of each rule that holds for the event. */
  match(event: LogEvent, matched: (rule: number) => void): void {
    const { route } = event;
    (this.#groups[route.index] ?? this.#groupOf(route)).match(event, matched);
  }

  #groupOf(route: Route): RuleGroup {
    const key = JSON.stringify([textOfFields(route), rowsOf(route)]);
    let known = this.#views.get(key);
    if (known === undefined) {
      known = { view: new View(this.#run, route), unrouted: undefined };
      this.#views.set(key, known);
      this.#left -= known.view.size;
    }
    const isKept = route.index >= 0;
    if (isKept && !this.isFull) {
      const group = known.view.group(route);
      this.#groups[route.index] = group;
      this.#left -= group.size;
      return group;
    }
    // The group of all routes that rules see alike; what tells these apart is asked of each event.
    known.unrouted ??= known.view.group({ ...route, fixed: new Map() });
    if (isKept) this.#groups[route.index] = known.unrouted;
    return known.unrouted;
  }
}
