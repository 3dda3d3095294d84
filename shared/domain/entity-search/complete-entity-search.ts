import { entityTypes } from '../entity.ts';
import type { SearchChoice, SearchSuggestion } from '../search/complete-search.ts';
import { searchSuggestionLimit } from '../search/complete-search.ts';
import {
  entityAttributeMeanings,
  entityCategories,
  entityFlags,
  entitySearchHelp,
  entitySearchKeys,
  entityTraitMeanings,
  entityTraits,
  type EntitySearchKey,
} from './keys.ts';
import { scanEntitySearch } from './scan.ts';

/** What the caret of a search box stands on (resolved-intel 4.4). */
export interface EntitySearchCaret {
  /** Bounds of the typed term; both the caret's place when it stands on none. */
  readonly start: number;
  readonly end: number;
  /** What every completion keeps before the value: negation, key and earlier values of the list. */
  readonly prefix: string;
  /** Null while there is no key yet. */
  readonly key: EntitySearchKey | 're' | 'in' | null;
  /** What is typed of the value, or of the key, up to the caret. */
  readonly typed: string;
}

/** Finds the term under the caret; one at its end belongs to it. */
export function entityCaretIn(text: string, position: number): EntitySearchCaret {
  const at = Math.min(Math.max(0, Math.trunc(position)), text.length);
  // Parentheses part terms wherever one is being typed: whether they are groups depends on what is still to come.
  const term = scanEntitySearch(text, true).find(({ kind, start, end }) => kind === 'term' && start < at && at <= end);
  if (term?.kind !== 'term') return { start: at, end: at, prefix: '', key: null, typed: '' };
  const { start, end, key, body, bodyStart, negated } = term;
  const minus = negated ? '-' : '';
  if (key === null || at < bodyStart) {
    const typed = text.slice(start, at).replace(/^-?"?-?/, '');
    return { start, end, prefix: minus, key: null, typed };
  }
  const before = body.slice(0, Math.max(0, at - bodyStart));
  const comma = before.lastIndexOf(',') + 1;
  return {
    start,
    end,
    prefix: `${minus}${key}:${before.slice(0, comma)}`,
    key,
    typed: before.slice(comma).replace(/^\s*"?/, ''),
  };
}

/** The keys that begin as typed. */
export function suggestEntityKeys({ key, prefix, typed }: EntitySearchCaret): SearchSuggestion[] {
  if (key !== null) return [];
  const forms = [
    ...entitySearchKeys.map((one) => [one, `${one}:`] as const),
    ['re', 're:/'] as const,
    ['in', 'in:('] as const,
  ];
  return forms
    .filter(([, form]) => form.startsWith(typed.toLowerCase()))
    .map(([one, form]) => ({ insert: `${prefix}${form}`, label: form, detail: entitySearchHelp[one] }));
}

/** Values that are the same for everyone; null for keys whose values are to be looked up. */
export function fixedEntityChoices(key: EntitySearchKey | 're' | 'in'): readonly SearchChoice[] | null {
  switch (key) {
    case 'type':
      return entityTypes.map((value) => ({ value, detail: '' }));
    case 'attr':
      return attributeChoices();
    case 'is':
    case 'has':
      return entityTraits[key].map((value) => ({ value, detail: entityTraitMeanings[value] }));
    case 'seen':
    case 'first':
      return [
        { value: '<24h', detail: 'within a day' },
        { value: '<7d', detail: 'within a week' },
        { value: '>4w', detail: 'longer ago than four weeks' },
      ];
    case 'jobs':
      return [
        { value: '1', detail: 'in one job only' },
        { value: '>1', detail: 'in several' },
        { value: '>=10', detail: '10 or more' },
      ];
    case 'cidr':
    case 're':
    case 'in':
      return [];
    case 'tag':
    case 'label':
    case 'job':
    case 'list':
      return null;
  }
}

/** The computed attributes, with what each says. */
export function attributeChoices(): readonly SearchChoice[] {
  return [...entityCategories, ...entityFlags].map((value) => ({ value, detail: entityAttributeMeanings[value] }));
}

/** The choices that contain what is typed, those that begin with it first, as suggestions. */
export function suggestEntityValues(
  { prefix, typed }: EntitySearchCaret,
  choices: readonly SearchChoice[],
): SearchSuggestion[] {
  const text = typed.trim().toLowerCase();
  const matching = choices.filter(({ value }) => value.toLowerCase().includes(text));
  const begins = ({ value }: SearchChoice): boolean => value.toLowerCase().startsWith(text);
  return [...matching.filter(begins), ...matching.filter((choice) => !begins(choice))]
    .slice(0, searchSuggestionLimit)
    .map(({ value, detail }) => ({ insert: written(`${prefix}${value}`), label: value, detail }));
}

/** Quotes stand around the whole of a term with blanks, since only there do they group (resolved-intel 4.3). */
function written(term: string): string {
  if (!/[\s()]/.test(term)) return term;
  return term.startsWith('-') ? `-"${term.slice(1)}"` : `"${term}"`;
}
