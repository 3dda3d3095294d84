import { compose } from '@svc/adapters/compose.ts';
import { suggestJobSearch } from '@svc/application/jobs/suggest-job-search.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('jobLists', 'tags', 'workflows');

export const suggestJobSearchRoute = route(operations.suggestJobSearch, (actor, input) =>
  suggestJobSearch(ports, actor, input),
);
