import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { recentSearches } from './search-history.ts';
import type { SearchLanguage } from './search-language.ts';

/** Something to choose under the search box. */
export interface SearchChoice {
  /** A recent search is searched for at once; a suggestion completes a term. */
  readonly kind: 'recent' | 'suggestion';
  readonly label: string;
  readonly detail: string;
  readonly insert: string;
  /** What it takes the place of, in the text that it was made for. */
  readonly start: number;
  readonly end: number;
  readonly of: string;
}

const PAUSE_MS = 100;
const RECENT = 5;

/** What can be chosen for the term under the caret; recent searches too while nothing is typed. */
export function useSearchChoices(
  language: Pick<SearchLanguage, 'kept' | 'suggestions'>,
  typed: { text: string; caret: number; isOpen: boolean },
): SearchChoice[] {
  const [q] = useDebouncedValue(typed.text, PAUSE_MS);
  const [pos] = useDebouncedValue(typed.caret, PAUSE_MS);
  const { data } = useQuery({
    ...language.suggestions(q, pos),
    enabled: typed.isOpen,
    placeholderData: keepPreviousData,
  });
  const recent = typed.text === '' && typed.isOpen ? recentSearches(language.kept).slice(0, RECENT) : [];
  const suggestions = data?.suggestions ?? [];
  return [
    ...recent.map((search) => ({
      kind: 'recent' as const,
      label: search,
      detail: '',
      insert: search,
      start: 0,
      end: 0,
      of: '',
    })),
    ...suggestions.map((suggestion) => ({
      kind: 'suggestion' as const,
      ...suggestion,
      start: data?.start ?? 0,
      end: data?.end ?? 0,
      of: data?.q ?? '',
    })),
  ];
}
