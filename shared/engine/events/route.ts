/** Why a record is this log source's: one row of facts of detection-engine 1.2. */
export interface SourceFacts {
  readonly product?: string;
  readonly category?: string;
  readonly service?: string;
  /** Nothing is known of the source, and rules of every one are to be tried whose fields the record has. */
  readonly open?: true;
}

/**
 * Where records come from, as far as it decides which rules can apply: all records of one channel,
 * provider and event id share one route, and the rule index keeps one group of rules per route.
 */
export interface Route {
  /** Dense number, good as an array index; -1 for one of too many, which the table does not keep. */
  readonly index: number;
  readonly product: string;
  /** Windows: channel, provider and event id as the record spells them; empty when it has none. */
  readonly channel: string;
  readonly provider: string;
  readonly eventId: string;
  /**
   * Whether the records have data of their own under the name of one of these three, as the clearing
   * of a log names the `Channel` cleared: rules then mean the data, and the route decides nothing.
   */
  readonly shadowed: boolean;
  /** Other inputs: the facts themselves (e.g. linux/auditd); empty for Windows. */
  readonly facts: readonly SourceFacts[];
  /** Values that all records of the route have, by field in lower case: what rules ask of them is decided once. */
  readonly fixed: ReadonlyMap<string, string>;
}

/** What of a route decides which log sources its records are of. */
export type RouteNames = Pick<Route, 'product' | 'channel' | 'provider' | 'eventId' | 'facts'>;

/** Names, in lower case, under which a route may decide a value. */
export const routeFields: ReadonlySet<string> = new Set(['eventid', 'channel', 'eventlog', 'provider_name', 'type']);

const NONE: ReadonlyMap<string, string> = new Map();

/** Far more sources than any log has; only one made to do harm comes to so many. */
const MOST_ROUTES = 65_536;

/**
 * Hands out one {@link Route} object per distinct source. Beyond a bound, further ones are not kept
 * and get an object each time they are asked for.
 */
export class RouteTable {
  readonly #routes: Route[] = [];
  readonly #byKey = new Map<string, Route>();
  #unlabelled: readonly SourceFacts[] = [];
  #unlabelledRoute: Route | undefined;

  /** What is taken for the facts of records that tell none themselves; for the events of readers begun after. */
  set unlabelled(facts: readonly SourceFacts[]) {
    this.#unlabelled = facts;
    this.#unlabelledRoute = undefined;
  }

  /** Route of records that tell no facts; undefined until there was one. */
  get unlabelledRoute(): Route | undefined {
    return this.#unlabelledRoute;
  }

  get size(): number {
    return this.#routes.length;
  }

  windows(channel: string, provider: string, eventId: string, shadowed = false): Route {
    const key = `w\u0000${channel}\u0000${provider}\u0000${eventId}\u0000${shadowed}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const fixed = shadowed ? NONE : fixedByWindows(channel, provider, eventId);
    return this.#add(key, { product: 'windows', channel, provider, eventId, shadowed, facts: [], fixed });
  }

  source(...facts: readonly SourceFacts[]): Route {
    if (facts.length > 0) return this.typed('', facts);
    return (this.#unlabelledRoute = this.typed('', this.#unlabelled));
  }

  /** Route of records whose field `type` has this value; an empty one says nothing of it. */
  typed(type: string, facts: readonly SourceFacts[]): Route {
    const key = `s\u0000${type}\u0000${JSON.stringify(facts)}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const product = facts[0]?.product ?? '';
    const fixed = type === '' ? NONE : new Map([['type', type]]);
    return this.#add(key, { product, channel: '', provider: '', eventId: '', shadowed: false, facts, fixed });
  }

  #add(key: string, route: Omit<Route, 'index'>): Route {
    if (this.#routes.length >= MOST_ROUTES) return { index: -1, ...route };
    const added: Route = { index: this.#routes.length, ...route };
    this.#routes.push(added);
    this.#byKey.set(key, added);
    return added;
  }
}

function fixedByWindows(channel: string, provider: string, eventId: string): ReadonlyMap<string, string> {
  return new Map([
    ['eventid', eventId],
    ['channel', channel],
    ['eventlog', channel],
    ['provider_name', provider],
  ]);
}
