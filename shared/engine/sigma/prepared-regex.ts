import type { NativePattern } from './native-regex.ts';
import { type LiteralSet, requiredLiterals } from './regex-literals.ts';
import { nativePatternOf } from './regex.ts';

/** A pattern of a rule with what takes long to find out of it, so that it is found out once, when rules are loaded. Plain data. */
export interface PreparedRegex {
  readonly source: string;
  readonly flags: string;
  /** As `requiredLiterals` says. */
  readonly required: readonly LiteralSet[];
  /** Null where the platform's matcher is not to search for it. */
  readonly native: NativePattern | null;
}

/** @param source and flags of which `checkRegex` found nothing wrong. */
export function prepareRegex(source: string, flags: string): PreparedRegex {
  return { source, flags, required: requiredLiterals(source), native: nativePatternOf(source, flags) };
}
