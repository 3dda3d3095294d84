import { engineDifferences } from '@svc/domain';
import { loadRules, type Rule } from '@svc/engine';
import type { Expression } from '../../shared/engine/sigma/expression.ts';
import { expressionHolds, type RecordView } from '../../shared/engine/testing/expression-holds.ts';
import type { RuleView } from '../../shared/engine/testing/plain-evaluator.ts';
import type { Seen } from './ours.ts';

/**
 * How a program reads rules or records otherwise than Sigma says. A cause explains a pair when, read that
 * way, the rule and the record come out as that program says.
 */
export interface Cause {
  readonly name: string;
  /** Why the engine is right. */
  readonly why: string;
  /** The rule's document as the program takes it. */
  readonly rule?: (source: string, seen: Seen) => string;
  /** The record as the program shows it to the rule; null when it does not show it. */
  readonly record?: (view: RuleView, seen: Seen) => RecordView | null;
  /** A test of an absent field is neither true nor false, as in SQL. */
  readonly absentIsUnknown?: boolean;
}

/** What several programs have in common. */
export const channelOfLog: Cause = {
  ...engineDifferences.channelOfLog,
  record: (view, { channel }) => ({ ...view, texts: (field) => (field === 'Channel' ? [channel] : view.texts(field)) }),
};

export const booleansNoText: Cause = {
  ...engineDifferences.booleansNoText,
  record: (view, { record }) => ({
    ...view,
    texts: (field) => (typeof record[field] === 'boolean' ? [record[field] ? '1' : '0'] : view.texts(field)),
  }),
};

export const onlySysmon: Cause = {
  ...engineDifferences.networkNotMapped,
  record: (view) => (view.mapping === 'M2' || view.mapping === 'M3' ? null : view),
};

export const threeValued: Cause = {
  ...engineDifferences.absentUnknown,
  absentIsUnknown: true,
};

const reread = new Map<string, Rule | null>();

/** Whether the rule holds for the record when both are read in all those ways. */
export function holdsWith(causes: readonly Cause[], seen: Seen): boolean {
  const rule = causes.reduce((source, cause) => cause.rule?.(source, seen) ?? source, seen.rule.source);
  const expression = expressionOf(rule, seen.rule);
  if (expression === null) return false;
  const views = seen.views.length > 0 ? seen.views : [seen.plain];
  return views.some((view) => {
    let shown: RecordView | null = view;
    for (const { record } of causes) {
      if (shown !== null && record !== undefined) shown = record({ ...shown, mapping: view.mapping }, seen);
    }
    if (shown === null) return false;
    return causes.some((cause) => cause.absentIsUnknown)
      ? truth(expression, shown) === true
      : expressionHolds(expression, shown);
  });
}

function expressionOf(source: string, rule: Rule): Expression | null {
  if (source === rule.source) return rule.expression;
  let known = reread.get(source);
  if (known === undefined) {
    known = loadRules([{ path: rule.path, text: source }]).rules.rules[0] ?? null;
    reread.set(source, known);
  }
  return known?.expression ?? null;
}

/** The fields that an expression tests. */
export function fieldsOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'constant':
      return [];
    case 'not':
      return fieldsOf(expression.of);
    case 'test':
      return expression.field === null ? [] : [expression.field];
    default:
      return expression.of.flatMap(fieldsOf);
  }
}

/** Three-valued: null where an absent field decides. */
function truth(expression: Expression, view: RecordView): boolean | null {
  switch (expression.kind) {
    case 'not': {
      const inner = truth(expression.of, view);
      return inner === null ? null : !inner;
    }
    case 'all':
    case 'any': {
      const decisive = expression.kind === 'any';
      const parts = new Set(expression.of.map((part) => truth(part, view)));
      return parts.has(decisive) ? decisive : parts.has(null) ? null : !decisive;
    }
    case 'test': {
      const asksPresence = expression.test.kind === 'null' || expression.test.kind === 'exists';
      if (expression.field !== null && !asksPresence && view.texts(expression.field) === null) return null;
      return expressionHolds(expression, view);
    }
    case 'constant':
      return expression.value;
  }
}
