import { parseSearch } from '@svc/domain';
import { suggestionsQuery } from '../../api/job-search.ts';
import type { SearchLanguage } from '../../ui/search/search-language.ts';

/** The language of the jobs search (resolved-platform 12). */
export const jobsLanguage: SearchLanguage = {
  label: 'Search jobs',
  placeholder: 'Search: part of a name, host:ws01, ip:10.0.0.5, sev:critical,high, -tag:reviewed',
  chapter: 'finding-jobs',
  signs: [
    ['a b', 'both'],
    ['x:a,b', 'either'],
    ['-a', 'not'],
    ['a*', 'begins so'],
  ],
  kept: 'svc-jobs-searches',
  parse: parseSearch,
  suggestions: suggestionsQuery,
};
