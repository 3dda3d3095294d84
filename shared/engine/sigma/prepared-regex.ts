import { fold } from '../events/value-table.ts';
import type { NativePattern } from './native-regex.ts';
import { type LiteralSet, requiredLiterals } from './regex-literals.ts';
import { nativePatternOf } from './regex.ts';

/** A pattern of a rule with what takes long to find out of it, so that it is found out once, when rules are loaded. Plain data. */
export interface PreparedRegex {
  readonly source: string;
  readonly flags: string;
  /** A folded text that holds none of one of these sets does not match. */
  readonly required: readonly LiteralSet[];
  /** Null where the platform's matcher is not to search for it. */
  readonly native: NativePattern | null;
}

/** More texts take as long to look for as the expression itself. */
const mostLookedFor = 6;

/** @param source and flags of which `checkRegex` found nothing wrong. */
export function prepareRegex(source: string, flags: string): PreparedRegex {
  const sets = requiredLiterals(source).filter(({ length }) => length <= mostLookedFor);
  return { source, flags, required: sets.map((set) => set.map(fold)), native: nativePatternOf(source, flags) };
}
