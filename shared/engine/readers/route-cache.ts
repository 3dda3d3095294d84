import type { Route } from '../events/route.ts';
import type { ValueId } from '../events/value-id.ts';
import type { EventTables } from './reader.ts';

const SIZE = 1024;
const LONGEST_NAME = 512;

/** Finds a record's route by the handles of what decides it, without making texts of them. */
export class RouteCache {
  readonly #tables: EventTables;
  readonly #keys = new Int32Array(SIZE * 3);
  readonly #routes: Route[] = [];
  #generation: number;

  constructor(tables: EventTables) {
    this.#tables = tables;
    this.#generation = tables.values.generation;
  }

  route(channel: ValueId, provider: ValueId, eventId: ValueId, shadowed: boolean): Route {
    const { values } = this.#tables;
    if (values.generation !== this.#generation) {
      this.#generation = values.generation;
      this.#routes.length = 0;
    }
    const at = (Math.imul(Math.imul(channel, 31) + provider, 31) + eventId + (shadowed ? 1 : 0)) & (SIZE - 1);
    const keys = this.#keys;
    const known = this.#routes[at];
    if (
      known?.shadowed === shadowed &&
      keys[at * 3] === channel &&
      keys[at * 3 + 1] === provider &&
      keys[at * 3 + 2] === eventId
    )
      return known;
    const { routes } = this.#tables;
    const route = routes.windows(this.#name(channel), this.#name(provider), this.#name(eventId), shadowed);
    if (values.isTransient(channel) || values.isTransient(provider) || values.isTransient(eventId)) return route;
    keys[at * 3] = channel;
    keys[at * 3 + 1] = provider;
    keys[at * 3 + 2] = eventId;
    this.#routes[at] = route;
    return route;
  }

  #name(value: ValueId): string {
    return this.#tables.values.text(value).slice(0, LONGEST_NAME);
  }
}
