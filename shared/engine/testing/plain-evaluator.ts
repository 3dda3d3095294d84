import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { ABSENT, NULL, type ValueId } from '../events/value-table.ts';
import { fieldReader } from '../sigma/derived-fields.ts';
import type { Rule } from '../sigma/rule.ts';
import { type MappingName, rowsFor, rowsOf } from '../sigma/source-rows.ts';
import { expressionHolds, type RecordView } from './expression-holds.ts';

/** Whether a rule holds for an event, tried by itself: the oracle that the matcher is held against. */
export function plainlyHolds(rule: Rule, event: LogEvent, fields: FieldTable): boolean {
  return rowsFor(rule.logSource, rowsOf(event.route)).some(
    ({ when, mapping }) =>
      (when === undefined || expressionHolds(when, viewOf(event, fields))) &&
      expressionHolds(rule.expression, viewOf(event, fields, mapping)),
  );
}

function viewOf(event: LogEvent, fields: FieldTable, mapping?: MappingName): RecordView {
  return {
    texts(field) {
      const derived = fieldReader(fields, event.route, field, mapping);
      const value: ValueId = derived === null ? event.value(fields.id(field)) : derived(event);
      if (value === ABSENT) return null;
      if (value === NULL) return [''];
      return (event.values.items(value) ?? [value]).map((one) => event.values.text(one));
    },
    keywords() {
      const texts: string[] = [];
      event.keywords((value) => {
        texts.push(event.values.text(value));
        return false;
      });
      return texts;
    },
  };
}
