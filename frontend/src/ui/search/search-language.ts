import type { SearchSuggestions } from '@svc/contracts';
import type { ChapterId } from '../../paths.ts';

/** What a search box knows of the language that is typed into it. */
export interface SearchLanguage {
  /** What is searched, as “Search jobs” says it. */
  readonly label: string;
  readonly placeholder: string;
  /** Chapter of the guide that tells the language, and its signs in short. */
  readonly chapter: ChapterId;
  readonly signs: readonly (readonly [sign: string, meaning: string])[];
  /** Key of the storage that keeps the searches of this browser. */
  readonly kept: string;
  readonly parse: (text: string) => ParsedText;
  /** Asks what completes the term under the caret. */
  readonly suggestions: (text: string, caret: number) => SuggestionQuery;
}

/** Terms in order, and what cannot be used. */
export interface ParsedText {
  readonly terms: readonly { readonly start: number; readonly end: number; readonly negated: boolean }[];
  readonly problems: readonly {
    readonly start: number;
    readonly end: number;
    readonly term: string;
    readonly reason: string;
  }[];
}

/** Suggestions tell places in a text: they come with it. */
type Suggested = SearchSuggestions & { readonly q: string };

export interface SuggestionQuery {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Suggested>;
  readonly staleTime: number;
}
