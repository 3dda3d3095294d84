import type { EnrichmentContent } from '@svc/domain';

/** A service of one's own that is asked about domains. */
export const ownService: EnrichmentContent = {
  name: 'Own',
  providerKey: 'own',
  entityTypes: ['domain'],
  linkTemplate: null,
  apiTemplate: 'https://v.example/{value}?k={token}',
  apiMethod: 'GET',
  apiHeaders: {},
  apiBody: null,
  cacheTtlSeconds: 60,
  perMinute: null,
  summaryFields: [],
  verdictRules: [],
  enabled: true,
  displayOrder: 100,
  notes: '',
};
