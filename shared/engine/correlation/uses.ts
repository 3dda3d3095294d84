import type { Correlation } from './correlation.ts';

/** Between the values of a group; no text of a log has it after folding. */
export const separator = '\u0000';

/** Where the matches of a rule, or the firings of a correlation, are fed. */
export interface Use {
  /** Place of the correlation in its set. */
  readonly correlation: number;
  /** Place of what is fed among the correlation's `rules`. */
  readonly place: number;
}

/** The correlations that refer to a rule or to another correlation. */
export function usesOf(
  correlations: readonly Correlation[],
  { id, name }: { readonly id: string | null; readonly name: string | null },
): Use[] {
  const names = new Set([id, name?.toLowerCase()]);
  return correlations.flatMap(({ rules }, correlation) =>
    rules.flatMap((reference, place) => (names.has(reference) ? [{ correlation, place }] : [])),
  );
}

/** The field that a group-by name means for one of the rules. */
export function fieldOf({ aliases, rules }: Correlation, place: number, name: string): string {
  return aliases[name]?.[rules[place]!] ?? name;
}
