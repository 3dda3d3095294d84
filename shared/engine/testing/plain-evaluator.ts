import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { ABSENT, NULL, type ValueId } from '../events/value-id.ts';
import { fieldReader } from '../sigma/derived-fields.ts';
import type { Rule } from '../sigma/rule.ts';
import { conditionOf, rowsFor, rowsOf } from '../sigma/source-rows.ts';
import type { MappingName } from '../sigma/source-row.ts';
import { expressionHolds, type RecordView } from './expression-holds.ts';

/** A record as a rule sees it, and the mapping that gives it the rule's names. */
export interface RuleView extends RecordView {
  readonly mapping: MappingName | null;
}

/** Whether a rule holds for an event, tried by itself: the oracle that the matcher is held against. */
export function plainlyHolds(rule: Rule, event: LogEvent, fields: FieldTable): boolean {
  return viewsFor(rule, event, fields).some((view) => expressionHolds(rule.expression, view));
}

/** An event in each of the ways in which a rule sees it; none when it is not of the rule's log source. */
export function viewsFor(rule: Rule, event: LogEvent, fields: FieldTable): RuleView[] {
  return rowsFor(rule.logSource, rowsOf(event.route))
    .filter((row) => {
      const when = conditionOf(row, rule.expression);
      return when === undefined || expressionHolds(when, viewOf(event, fields));
    })
    .map(({ mapping }) => viewOf(event, fields, mapping));
}

/** An event with its fields as they are, or as a mapping names them. */
export function viewOf(event: LogEvent, fields: FieldTable, mapping?: MappingName): RuleView {
  const valueOf = (field: string): ValueId => {
    const derived = fieldReader(fields, event.route, field, mapping);
    return derived === null ? event.value(fields.id(field)) : derived(event);
  };
  return {
    mapping: mapping ?? null,
    isNull: (field) => valueOf(field) <= NULL,
    texts(field) {
      const value = valueOf(field);
      if (value === ABSENT) return null;
      if (value === NULL) return [''];
      return (event.values.items(value) ?? [value]).map((one) => event.values.text(one));
    },
    keywords() {
      const texts: string[] = [];
      event.keywords((value) => {
        texts.push(...(event.values.items(value) ?? [value]).map((one) => event.values.text(one)));
        return false;
      });
      return texts;
    },
  };
}
