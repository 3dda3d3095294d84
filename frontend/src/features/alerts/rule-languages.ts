import type { AlertRule } from '@svc/contracts';
import { entitySuggestionsQuery } from '../../api/intel.ts';
import { suggestionsQuery } from '../../api/job-search.ts';
import type { ChapterId } from '../../paths.ts';
import type { SearchLanguage } from '../../ui/search/search-language.ts';

type Language = Pick<SearchLanguage, 'kept' | 'suggestions'> & {
  readonly placeholder: string;
  readonly chapter: ChapterId;
};

/** The two languages that conditions can be written in. */
export const ruleLanguages: Readonly<Record<AlertRule['scope'], Language>> = {
  entity: {
    kept: 'svc-entity-searches',
    suggestions: entitySuggestionsQuery,
    placeholder: 'type:ip -cidr:10.0.0.0/8 tag:c2',
    chapter: 'entities',
  },
  job: {
    kept: 'svc-jobs-searches',
    suggestions: suggestionsQuery,
    placeholder: 'sev:critical,high -tag:reviewed',
    chapter: 'finding-jobs',
  },
};
