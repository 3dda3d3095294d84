import type { Why } from '@svc/contracts';
import type { Explanation, Trial } from '@svc/engine';

/** Characters of a value that are shown, and values of an item of which none holds. */
const [longestValue, shownValues] = [4000, 8];
type WhyRule = NonNullable<Why['rule']>;
type Item = Explanation['views'][number]['identifiers'][number]['alternatives'][number]['items'][number];

export const whyNot = {
  noEvent: 'No such event of this finding is kept.',
  noRule: 'The source of this rule was not kept, so what it asks for cannot be held against the event.',
  tooLong: 'Holding the rule against the event takes too long here. `svc explain` tells it without a limit of time.',
} as const;

/** Why rules that were compiled cannot be held against one event, in a sentence; null where the first can. */
export function whyNoRule({ rules, rejected }: Pick<Trial, 'rules' | 'rejected'>): string | null {
  if (rules.some(({ isCorrelation }) => !isCorrelation)) return null;
  const [problem] = rejected;
  if (rules.length === 0 && problem === undefined) return 'What is kept of this rule is no rule that can be read.';
  if (problem === undefined || problem.message.includes('correlation')) {
    return 'This rule is a correlation: it counts matches of other rules, and no single event meets it.';
  }
  return `The rule cannot be read any more (line ${problem.line}: ${problem.message}).`;
}

/** A rule held against an event, as it is shown. */
export function toWhy(event: number, explanation: Explanation): Why {
  const { views, matches, logSource } = explanation;
  const view = views.find((one) => one.sourceHolds && one.conditionHolds) ?? views.find((one) => one.sourceHolds);
  const { conditions, identifiers, isFiltered } = view ?? views[0]!;
  return {
    event,
    note: matches ? null : noteOn(isFiltered),
    rule: {
      conditions: [...conditions],
      matches,
      log_source: [logSource.product, logSource.category, logSource.service].filter(Boolean).join(' / '),
      parts: identifiers.map(({ name, holds, alternatives }): WhyRule['parts'][number] => ({
        name,
        holds,
        alternatives: alternatives.map((one) => ({ holds: one.holds, items: one.items.map(toItem) })),
      })),
    },
  };
}

/** An answer that is nothing but a sentence. */
export function toWhyNot(event: number, note: string): Why {
  return { event, note, rule: null };
}

function noteOn(isFiltered: boolean): string {
  return isFiltered
    ? 'A Sigma filter takes this match away now.'
    : 'Held against the fields that are kept of this event, the rule does not match: the log itself told more.';
}

function toItem({
  key,
  found,
  holds,
  values,
}: Item): WhyRule['parts'][number]['alternatives'][number]['items'][number] {
  const holding = values.filter((one) => one.holds);
  const shown = (holding.length > 0 ? holding : values).slice(0, shownValues);
  return {
    key,
    found: found && found.slice(0, shownValues).map(cut),
    holds,
    values: shown.map((one) => ({ value: cut(one.value), holds: one.holds })),
    more: values.length - shown.length,
  };
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
