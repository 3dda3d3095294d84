import { routeFields } from '../events/route.ts';
import { fold } from '../events/value-table.ts';
import { isEveryday } from '../sigma/everyday.ts';
import type { Expression, ValueTest } from '../sigma/expression.ts';
import { rarest } from '../sigma/regex-literals.ts';

/** A condition on one field that is quick to look up: the value contains the literal, or equals it. */
export interface Atom {
  /** Null: any text of the event. */
  readonly field: string | null;
  readonly literal: string;
  readonly whole: boolean;
}

/** Atoms of which at least one holds whenever the rule does; null when none can be named. */
export type Anchor = readonly Atom[] | null;

/** Finds a rule's anchor (detection-engine 4.3.4): the best of an `all`, the union of an `any`, nothing of a `not`. */
export function anchorOf(expression: Expression): Anchor {
  switch (expression.kind) {
    case 'all':
      return expression.of.map(anchorOf).reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best), null);
    case 'any': {
      const union: Atom[] = [];
      for (const part of expression.of) {
        const anchor = anchorOf(part);
        if (anchor === null) return null;
        for (const atom of anchor) union.push(atom);
      }
      return union;
    }
    case 'test':
      return atomOf(expression.field, expression.test);
    default:
      return null;
  }
}

function atomOf(field: string | null, test: ValueTest): Anchor {
  if (test.kind === 'integer') return [{ field, literal: test.text, whole: true }];
  if (test.kind === 'regex') {
    const parts = rarest(test.required)?.map((text) => fold(text).slice(-longestPart));
    return parts === undefined ? null : [...new Set(parts)].map((literal) => ({ field, literal, whole: false }));
  }
  if (test.kind !== 'pattern') return null;
  const literals = test.pieces.filter((piece) => typeof piece === 'string').map(fold);
  const longest = literals.reduce((best, literal) => (literal.length > best.length ? literal : best), '');
  if (longest === '') return null;
  // A bare GUID also equals the braced form, and the reverse: only the bare part is certain.
  const bare = /^\{[0-9a-f-]{36}\}$/.test(longest) ? longest.slice(1, -1) : longest;
  const part = bare.length > longestPart ? bare.slice(-longestPart) : bare;
  const whole = test.pieces.length === 1 && !/^[0-9a-f-]{36}$/.test(bare) && !longest.includes('\uE000');
  return [{ field, literal: whole ? bare : part, whole }];
}

const wholeBonus = 6;
/** Fields that have the same few values in record after record, so that an anchor on them spares little. */
const everydayFields: ReadonlySet<string | undefined> = new Set([...routeFields, 'cs-method', 'sc-status']);
const fieldPenalty = 32;
const everydayPenalty = 12;
/** Enough of a literal to be rare; its end, since ends of paths tell more than their beginnings. */
const longestPart = 16;

/** Longer literals and fewer of them are rarer in logs. */
function scoreOf(anchor: Anchor): number {
  if (anchor === null) return Number.NEGATIVE_INFINITY;
  const shortest = anchor.reduce(
    (least, { literal, whole }) => Math.min(least, literal.length + (whole ? wholeBonus : 0)),
    Number.POSITIVE_INFINITY,
  );
  const ofEverydayField = anchor.some(({ field }) => everydayFields.has(field?.toLowerCase()));
  const penalty = anchor.some(({ literal, whole }) => isEveryday(literal, whole)) ? everydayPenalty : 0;
  return Math.min(shortest, 12) - Math.log2(anchor.length) - (ofEverydayField ? fieldPenalty : penalty);
}
