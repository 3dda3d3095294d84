import { fold } from '../events/value-table.ts';
import type { ValueTest } from '../sigma/expression.ts';
import { requiredLiteral } from '../sigma/regex.ts';
import type { Bound } from './bound.ts';

/** A condition on one column that is quick to look up: the value contains the literal, or equals it. */
export interface Atom {
  readonly column: number;
  readonly literal: string;
  readonly whole: boolean;
}

/** Atoms of which at least one holds whenever the rule does; null when none can be named. */
export type Anchor = readonly Atom[] | null;

/** Finds a rule's anchor (detection-engine 4.3.4): the best of an `all`, the union of an `any`, nothing of a `not`. */
export function anchorOf(bound: Bound): Anchor {
  switch (bound.kind) {
    case 'all':
      return bound.of.map(anchorOf).reduce((best, one) => (scoreOf(one) > scoreOf(best) ? one : best), null);
    case 'any': {
      const union: Atom[] = [];
      for (const part of bound.of) {
        const anchor = anchorOf(part);
        if (anchor === null) return null;
        union.push(...anchor);
      }
      return union;
    }
    case 'test':
      return atomOf(bound.column, bound.test);
    default:
      return null;
  }
}

function atomOf(column: number, test: ValueTest): Anchor {
  if (test.kind === 'integer') return [{ column, literal: test.text, whole: true }];
  if (test.kind === 'regex') {
    const literal = fold(requiredLiteral(test.source));
    return literal === '' ? null : [{ column, literal: literal.slice(-longestPart), whole: false }];
  }
  if (test.kind !== 'pattern') return null;
  const literals = test.pieces.filter((piece) => typeof piece === 'string').map(fold);
  const longest = literals.reduce((best, literal) => (literal.length > best.length ? literal : best), '');
  if (longest === '') return null;
  // A bare GUID also equals the braced form, and the reverse: only the bare part is certain.
  const bare = /^\{[0-9a-f-]{36}\}$/.test(longest) ? longest.slice(1, -1) : longest;
  const part = bare.length > longestPart ? bare.slice(-longestPart) : bare;
  const whole = test.pieces.length === 1 && !/^[0-9a-f-]{36}$/.test(bare) && !longest.includes('\uE000');
  return [{ column, literal: whole ? bare : part, whole }];
}

const wholeBonus = 6;
/** Enough of a literal to be rare; its end, since ends of paths tell more than their beginnings. */
const longestPart = 16;

/** Longer literals and fewer of them are rarer in logs. */
function scoreOf(anchor: Anchor): number {
  if (anchor === null) return Number.NEGATIVE_INFINITY;
  const shortest = Math.min(...anchor.map(({ literal, whole }) => literal.length + (whole ? wholeBonus : 0)));
  return Math.min(shortest, 12) - Math.log2(anchor.length);
}
