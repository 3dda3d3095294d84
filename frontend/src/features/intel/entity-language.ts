import { parseEntitySearch } from '@svc/domain';
import { entitySuggestionsQuery } from '../../api/intel.ts';
import type { SearchLanguage } from '../../ui/search/search-language.ts';

/** The language of the entity search (resolved-intel 4.3). */
export const entityLanguage: SearchLanguage = {
  label: 'Search entities',
  placeholder: 'Search: part of a value, type:ip, cidr:10.0.0.0/8, tag:c2, attr:lolbin, first:<7d',
  chapter: 'entities',
  signs: [
    ['tag:a b', 'both'],
    ['a OR b', 'either'],
    ['-tag:a', 'not'],
    ['^a*', 'begins so'],
  ],
  kept: 'svc-entity-searches',
  parse: parseEntitySearch,
  suggestions: entitySuggestionsQuery,
};
