import type { ParsedText } from './search-language.ts';

/** A piece of a search as the box draws it; pieces in order make up the whole text. */
export interface SearchMark {
  readonly text: string;
  readonly start: number;
  readonly kind: 'gap' | 'term' | 'excluded';
  /** Why it matches nothing; null when it can be used. */
  readonly problem: string | null;
}

interface Problem {
  readonly start: number;
  readonly reason: string;
}

/** The terms of a search and what lies between them; `told` is what the service found beyond the grammar. */
export function searchMarks(
  { terms, problems }: ParsedText,
  text: string,
  told: readonly Problem[] = [],
): SearchMark[] {
  const reasons = new Map([...told, ...problems].map(({ start, reason }) => [start, reason] as const));
  const marks: SearchMark[] = [];
  let at = 0;
  const gap = (to: number) => {
    if (to > at) marks.push({ text: text.slice(at, to), start: at, kind: 'gap', problem: null });
  };
  for (const { start, end, negated } of terms) {
    gap(start);
    const kind = negated ? 'excluded' : 'term';
    marks.push({ text: text.slice(start, end), start, kind, problem: reasons.get(start) ?? null });
    at = end;
  }
  gap(text.length);
  return marks;
}

/** Why terms that are typed to their end cannot be used; the one under the caret is not finished yet. */
export function typedProblems({ problems }: ParsedText, caret: number): { term: string; reason: string }[] {
  return problems
    .filter(({ start, end }) => caret < start || caret > end)
    .map(({ term, reason }) => ({ term, reason }));
}
