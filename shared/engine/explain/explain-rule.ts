import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import { ABSENT } from '../events/value-id.ts';
import { bind, Columns } from '../matching/bound.ts';
import { compileCondition } from '../matching/conditions.ts';
import { Memo } from '../matching/memo.ts';
import { type Identifiers, parseCondition } from '../sigma/condition.ts';
import { allOf, anyOf, type Expression } from '../sigma/expression.ts';
import { isMapping } from '../sigma/mapping.ts';
import { compileItem, compileKeyword } from '../sigma/modifiers.ts';
import type { Placeholders } from '../sigma/placeholders.ts';
import { RuleContext } from '../sigma/rule-context.ts';
import type { Rule } from '../sigma/rule.ts';
import { conditionOf, rowsFor, rowsOf } from '../sigma/source-rows.ts';
import type { MappingName, SourceRow } from '../sigma/source-row.ts';
import { readDocuments } from '../sigma/yaml-documents.ts';
import type {
  AlternativeExplanation,
  Explanation,
  IdentifierExplanation,
  ItemExplanation,
  ViewExplanation,
} from './explanation.ts';

/**
 * Holds a rule against an event part by part, as its document writes the parts; the answers are those
 * of the conditions that the matcher uses. To be called while the event is being visited.
 * @param placeholders those that the rule was loaded with.
 */
export function explainRule(
  rule: Rule,
  event: LogEvent,
  fields: FieldTable,
  placeholders: Placeholders = new Map(),
): Explanation {
  const rows = rowsOf(event.route);
  const seeing = rowsFor(rule.logSource, rows);
  const detection = new DetectionText(rule, placeholders);
  const memo = new Memo(event.values);
  const through = (mapping: MappingName | undefined): RecordView => new RecordView(event, fields, memo, mapping);
  const satisfies = (row: SourceRow): boolean => {
    const when = conditionOf(row, rule.expression);
    return when === undefined || through(undefined).holds(when);
  };
  const explain = (row: SourceRow | undefined): ViewExplanation => ({
    mapping: row?.mapping ?? null,
    sourceHolds: row !== undefined && satisfies(row),
    ...detection.explain(rule, through(row?.mapping)),
  });
  // Of a record that is not of its log source, the rule sees the fields as they are.
  const views = seeing.length === 0 ? [explain(undefined)] : seeing.map(explain);
  return {
    ruleId: rule.id,
    ruleName: rule.title,
    severity: rule.level,
    path: rule.path,
    matches: views.some((view) => view.sourceHolds && view.conditionHolds && !view.isFiltered),
    logSource: rule.logSource,
    recordSources: rows.map(({ facts }) => facts),
    views,
  };
}

interface Item {
  readonly key: string;
  readonly expression: Expression;
  readonly values: readonly { readonly text: string; readonly expression: Expression }[];
}

/** A rule's detection with its parts still told apart, which the compiled rule has joined. */
class DetectionText {
  readonly #conditions: readonly string[];
  readonly #identifiers = new Map<string, readonly (readonly Item[])[]>();
  readonly #context: RuleContext;

  constructor({ source }: Rule, placeholders: Placeholders) {
    this.#context = new RuleContext(placeholders, () => undefined);
    const [document] = readDocuments(source);
    const value = document !== undefined && 'value' in document ? document.value : undefined;
    const detection = isMapping(value) && isMapping(value.detection) ? value.detection : {};
    const { condition, timeframe: _, ...named } = detection;
    this.#conditions = listOf(condition).map(written);
    for (const [name, part] of Object.entries(named)) {
      this.#identifiers.set(
        name,
        listOf(part).map((one) => this.#alternative(one)),
      );
    }
  }

  explain(rule: Rule, view: RecordView): Omit<ViewExplanation, 'mapping' | 'sourceHolds'> {
    const parts = [...this.#identifiers].map(([name, alternatives]) => {
      const explained = alternatives.map((items) => explainAlternative(items, view));
      return { name, holds: explained.some(({ holds }) => holds), alternatives: explained };
    });
    const answers = new Map(parts.map(({ name, holds }) => [name, holds]));
    const conditionHolds = this.#decide(answers);
    return {
      conditions: this.#conditions,
      conditionHolds,
      isFiltered: conditionHolds && !view.holds(rule.expression),
      identifiers: parts.map((part): IdentifierExplanation => {
        const decides = this.#decide(new Map(answers).set(part.name, !part.holds)) !== conditionHolds;
        return { name: part.name, holds: part.holds, decides, alternatives: part.alternatives };
      }),
    };
  }

  #alternative(part: unknown): Item[] {
    if (!isMapping(part)) {
      const expression = compileKeyword(part, this.#context);
      return [{ key: '', expression, values: [{ text: written(part), expression }] }];
    }
    return Object.entries(part).map(([key, value]) => {
      // What is said of a single value is what it says itself; `neq` turns the whole item.
      const single = key.replace(/\|neq(?=\||$)/, '');
      const values = listOf(value).map((one) => ({
        text: written(one),
        expression: compileItem(single, one, this.#context),
      }));
      return { key, expression: compileItem(key, value, this.#context), values };
    });
  }

  /** The conditions as they come out when the identifiers come out as given. */
  #decide(answers: ReadonlyMap<string, boolean>): boolean {
    const constants: Identifiers = new Map(
      [...answers].map(([name, value]): [string, Expression] => [name, { kind: 'constant', value }]),
    );
    const whole = anyOf(this.#conditions.map((condition) => parseCondition(condition, constants).expression));
    return whole.kind === 'constant' && whole.value;
  }
}

function explainAlternative(items: readonly Item[], view: RecordView): AlternativeExplanation {
  return {
    holds: view.holds(allOf(items.map(({ expression }) => expression))),
    items: items.map(({ key, expression, values }): ItemExplanation => {
      const [field = ''] = key.split('|');
      return {
        key,
        field: field === '' ? null : field,
        found: field === '' ? null : view.texts(field),
        holds: view.holds(expression),
        values: values.map((one) => ({ value: one.text, holds: view.holds(one.expression) })),
      };
    }),
  };
}

/** An event as a rule sees it through a mapping. */
class RecordView {
  readonly #event: LogEvent;
  readonly #mapping: MappingName | undefined;
  readonly #columns: Columns;
  readonly #memo: Memo;

  constructor(event: LogEvent, fields: FieldTable, memo: Memo, mapping: MappingName | undefined) {
    this.#event = event;
    this.#mapping = mapping;
    this.#memo = memo;
    this.#columns = new Columns(event.route, fields);
    this.#columns.begin(event);
  }

  holds(expression: Expression): boolean {
    const bound = bind(expression, this.#event.route, this.#columns, this.#mapping);
    return compileCondition(bound, this.#columns, this.#event.values, this.#memo)();
  }

  /** The values of a field as texts; null when it is absent. */
  texts(field: string): string[] | null {
    const value = this.#columns.value(this.#columns.of(field, this.#mapping));
    const { values } = this.#event;
    return value === ABSENT ? null : (values.items(value) ?? [value]).map((one) => values.text(one));
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** A value as the rule writes it; rules that are loaded have nothing but scalars there. */
function written(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
