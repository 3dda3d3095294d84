import { parseEntitySearch, parseSearch, problemText, type AlertRuleScope } from '@svc/domain';

/** Why a part of a condition cannot be used; `start` and `end` bound it in the text, in UTF-16 units. */
export interface ConditionProblem {
  readonly code: 'job_term_not_allowed' | 'query_invalid' | 'term_error' | 'unknown_list';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A condition as a search: it can have several lines, whose ends are blanks like others. Places stay. */
export function searchOf(query: string): string {
  return query.replace(/[\r\n\t]/g, ' ');
}

/** Names of lists that a condition asks for, each once. */
export function listsIn(scope: AlertRuleScope, query: string): string[] {
  if (scope === 'job') return [];
  const names = parseEntitySearch(searchOf(query)).terms.flatMap(({ condition }) =>
    condition?.key === 'list' ? [condition.name] : [],
  );
  return [...new Set(names)];
}

/**
 * What of a condition cannot be used, in the order of resolved-intel 10.2.
 * @param lists - the names that `list:` can have
 */
export function conditionProblems(
  scope: AlertRuleScope,
  query: string,
  lists: ReadonlySet<string>,
): readonly ConditionProblem[] {
  const text = searchOf(query);
  if (scope === 'job') {
    return parseSearch(text).problems.map(({ start, end, ...problem }) => ({
      code: 'term_error',
      message: problemText(problem),
      start,
      end,
    }));
  }
  const { terms, problems, isRefused } = parseEntitySearch(text);
  const ofJobs = terms.filter(({ key }) => key === 'job');
  // The refusal as a whole is told last.
  const refusal = isRefused ? problems.at(-1) : undefined;
  const others = problems.filter((one) => one !== refusal && !ofJobs.some(({ start }) => start === one.start));
  const unknown = terms.filter(({ condition }) => condition?.key === 'list' && !lists.has(condition.name));
  const known = lists.size === 0 ? 'there are no lists' : `there are ${[...lists].sort().join(', ')}`;
  return [
    ...ofJobs.map(({ start, end, text: term }) => ({
      code: 'job_term_not_allowed' as const,
      message: `${term}: a rule on entities looks at one job at a time, and cannot name jobs`,
      start,
      end,
    })),
    ...(refusal === undefined
      ? []
      : [
          {
            code: 'query_invalid' as const,
            message: problemText(refusal),
            start: refusal.start,
            end: refusal.end,
          },
        ]),
    ...others.map(({ start, end, ...problem }) => ({
      code: 'term_error' as const,
      message: problemText(problem),
      start,
      end,
    })),
    ...unknown.map(({ start, end, text: term }) => ({
      code: 'unknown_list' as const,
      message: `${term}: there is no such list; ${known}`,
      start,
      end,
    })),
  ];
}
