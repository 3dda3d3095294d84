import { searchKeyHelp, searchKeys, searchTraitMeanings, searchTraits, searchValues, type SearchKey } from './keys.ts';
import { formatValue } from './parse-search.ts';
import { readRawTerms, type RawTerm } from './raw-terms.ts';

/** What the caret of a search box stands on (resolved-platform 12.4). */
export interface SearchCaret {
  /** Bounds of the typed term; both the caret's place when it stands on none. */
  readonly start: number;
  readonly end: number;
  /** What every completion keeps before the value: negation, key and earlier values of the list. */
  readonly prefix: string;
  /** What every completion keeps after it: later values of the list. */
  readonly suffix: string;
  /** Null while there is no key yet. */
  readonly key: SearchKey | null;
  /** What is typed of the value, or of the key, up to the caret. */
  readonly typed: string;
}

/** One choice: `insert` takes the place of the term. */
export interface SearchSuggestion {
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

/** A value to offer. */
export interface SearchChoice {
  readonly value: string;
  readonly detail: string;
}

/** Most choices of one completion. */
export const searchSuggestionLimit = 20;

const amounts: readonly SearchChoice[] = [
  { value: '>0', detail: 'any at all' },
  { value: '>100', detail: 'more than 100' },
  { value: '>=1000', detail: '1,000 or more' },
  { value: '10..50', detail: 'from 10 to 50' },
  { value: '0', detail: 'none' },
];

/** Finds the term under the caret; one at its end belongs to it. */
export function caretIn(text: string, position: number): SearchCaret {
  const at = Math.min(Math.max(0, Math.trunc(position)), text.length);
  // Where two terms touch, the caret belongs to the first, at whose end it is.
  const term = readRawTerms(text).find(({ start, end }) => start < at && at <= end);
  if (!term) return { start: at, end: at, prefix: '', suffix: '', key: null, typed: '' };
  const { start, end, key, values } = term;
  const minus = term.negated ? '-' : '';
  const current = values.findLastIndex((value) => value.start <= at);
  const texts = values.map((value) => formatValue(value.text));
  if (key === null) return { start, end, prefix: minus, suffix: '', key, typed: typedOf(text, values[0], at) };
  if (current < 0) {
    const typed = text.slice(start, at).replace(/^[-"]+/, '');
    return { start, end, prefix: minus, suffix: texts.join(','), key: null, typed };
  }
  const prefix = `${minus}${key}:${texts.slice(0, current).map(followed).join('')}`;
  const suffix = texts.slice(current + 1).map((value) => `,${value}`);
  return { start, end, prefix, suffix: suffix.join(''), key, typed: typedOf(text, values[current], at) };
}

/** The keys that begin as typed. */
export function suggestKeys({ key, prefix, suffix, typed }: SearchCaret): SearchSuggestion[] {
  if (key !== null) return [];
  return searchKeys
    .filter((one) => one.startsWith(typed.toLowerCase()))
    .map((one) => ({ insert: `${prefix}${one}:${suffix}`, label: `${one}:`, detail: searchKeyHelp[one] }));
}

/** Values that are the same for everyone; null for keys whose values are to be looked up. */
export function fixedChoices(key: SearchKey): readonly SearchChoice[] | null {
  switch (key) {
    case 'status':
    case 'sev':
      return searchValues[key].map((value) => ({ value, detail: '' }));
    case 'type':
      return searchValues.type.filter((value) => value !== 'unknown').map((value) => ({ value, detail: '' }));
    case 'is':
      return searchTraits.map((value) => ({ value, detail: searchTraitMeanings[value] }));
    case 'findings':
      return amounts;
    case 'after':
      return moments('the last', 'hour');
    case 'before':
      return moments('longer ago than', 'an hour');
    case 'id':
    case 'sha256':
    case 'rule':
    case 'host':
    case 'user':
    case 'ip':
    case 'hash':
    case 'program':
    case 'domain':
      return [];
    case 'technique':
    case 'case':
    case 'tag':
    case 'workflow':
    case 'tool':
      return null;
  }
}

/** The choices that contain what is typed, those that begin with it first, as suggestions. */
export function suggestValues(caret: SearchCaret, choices: readonly SearchChoice[]): SearchSuggestion[] {
  const typed = caret.typed.trim().toLowerCase();
  const matching = choices.filter(({ value }) => value.toLowerCase().includes(typed));
  const begins = ({ value }: SearchChoice): boolean => value.toLowerCase().startsWith(typed);
  return [...matching.filter(begins), ...matching.filter((choice) => !begins(choice))]
    .slice(0, searchSuggestionLimit)
    .map(({ value, detail }) => ({
      insert: `${caret.prefix}${formatValue(value)}${caret.suffix}`,
      label: value,
      detail,
    }));
}

/** What is typed of a value up to the caret, without its opening quote. */
function typedOf(text: string, value: RawTerm['values'][number] | undefined, at: number): string {
  if (!value) return '';
  const opening = text[value.start] === '"' ? 1 : 0;
  return value.text.slice(0, Math.max(0, at - value.start - opening));
}

function followed(value: string): string {
  return `${value},`;
}

function moments(words: string, hour: string): SearchChoice[] {
  const spans = { '1h': hour, '24h': '24 hours', '7d': '7 days', '4w': '4 weeks' };
  return Object.entries(spans).map(([value, span]) => ({ value, detail: `${words} ${span}` }));
}
