import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import { ABSENT, type ValueId } from '../events/value-id.ts';
import { type Derived, fieldReader } from '../sigma/derived-fields.ts';
import type { LogSource } from '../sigma/log-source.ts';
import { rowsFor, rowsOf } from '../sigma/source-rows.ts';

/** Fields as a rule sees them: where it got the event through a mapping, by the mapped names first (1.2.3). */
export class RuleView {
  readonly #logSource: LogSource;
  readonly #names: readonly string[];
  readonly #fields: FieldTable;
  readonly #readers = new WeakMap<Route, readonly (readonly Derived[])[]>();

  constructor(logSource: LogSource, names: readonly string[], fields: FieldTable) {
    this.#logSource = logSource;
    this.#names = names;
    this.#fields = fields;
  }

  /** The fields' texts, folded; null when the event lacks one of them. */
  texts(event: LogEvent): string[] | null {
    const texts: string[] = [];
    for (const readers of this.#readersOf(event.route)) {
      const value = firstOf(readers, event);
      if (value === ABSENT) return null;
      texts.push(event.values.folded(event.values.items(value)?.[0] ?? value));
    }
    return texts;
  }

  /** For each field, how it is read through each of the rows by which the rule sees the events of a route. */
  #readersOf(route: Route): readonly (readonly Derived[])[] {
    let readers = this.#readers.get(route);
    if (readers === undefined) {
      const rows = rowsFor(this.#logSource, rowsOf(route));
      readers = this.#names.map((name) => {
        const field = this.#fields.id(name);
        return rows.map(
          ({ mapping }) => fieldReader(this.#fields, route, name, mapping) ?? ((event: LogEvent) => event.value(field)),
        );
      });
      this.#readers.set(route, readers);
    }
    return readers;
  }
}

function firstOf(readers: readonly Derived[], event: LogEvent): ValueId {
  for (const read of readers) {
    const value = read(event);
    if (value !== ABSENT) return value;
  }
  return ABSENT;
}
