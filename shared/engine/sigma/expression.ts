import type { Piece } from './pattern.ts';
import type { PreparedRegex } from './prepared-regex.ts';

export type Comparison = 'lt' | 'lte' | 'gt' | 'gte' | 'eq';
export type DatePart = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** One question about one value (detection-engine 1.3, 1.4). All but the last three are false for an absent field. */
export type ValueTest =
  | { readonly kind: 'pattern'; readonly pieces: readonly Piece[]; readonly cased: boolean }
  /** Equal as text, or as the same magnitude in hexadecimal. */
  | { readonly kind: 'integer'; readonly text: string }
  | ({ readonly kind: 'regex' } & PreparedRegex)
  | { readonly kind: 'cidr'; readonly network: string }
  | { readonly kind: 'number'; readonly op: Comparison; readonly than: number }
  | { readonly kind: 'date'; readonly part: DatePart; readonly op: Comparison; readonly than: number }
  | {
      readonly kind: 'fieldref';
      readonly other: string;
      readonly mode: 'equals' | 'contains' | 'startswith' | 'endswith';
      readonly cased: boolean;
    }
  | { readonly kind: 'empty' }
  /** No value; an empty text too, unless the rule asks for that by itself and so `tells` the two apart. */
  | { readonly kind: 'null'; readonly tells?: true }
  | { readonly kind: 'exists' };

/** What a rule asks of an event: a small tree, free of wildcards over names. */
export type Expression =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  /** `field: null` is a keyword: the test of every text of the event. */
  | { readonly kind: 'test'; readonly field: string | null; readonly test: ValueTest };

export function allOf(of: readonly Expression[]): Expression {
  return combine('all', of);
}

export function anyOf(of: readonly Expression[]): Expression {
  return combine('any', of);
}

/** Joins, flattening like kinds and folding constants away. */
function combine(kind: 'all' | 'any', of: readonly Expression[]): Expression {
  const neutral = kind === 'all';
  const parts: Expression[] = [];
  for (const part of of) {
    if (part.kind === 'constant') {
      if (part.value !== neutral) return part;
    } else if (part.kind === kind) {
      parts.push(...part.of);
    } else {
      parts.push(part);
    }
  }
  if (parts.length === 0) return { kind: 'constant', value: neutral };
  return parts.length === 1 ? parts[0]! : { kind, of: parts };
}

export function not(of: Expression): Expression {
  if (of.kind === 'constant') return { kind: 'constant', value: !of.value };
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}

/** Rebuilds an expression with every test replaced. */
export function mapTests(
  expression: Expression,
  replace: (test: Extract<Expression, { kind: 'test' }>) => Expression,
): Expression {
  switch (expression.kind) {
    case 'constant':
      return expression;
    case 'test':
      return replace(expression);
    case 'not':
      return not(mapTests(expression.of, replace));
    default:
      return combine(
        expression.kind,
        expression.of.map((part) => mapTests(part, replace)),
      );
  }
}
