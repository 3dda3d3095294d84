import { aiTokenPlace } from '@svc/application/ai/ai-provider-store.ts';
import { secretPlace } from '@svc/application/alerts/alert-rule-repository.ts';
import { enrichmentTokenPlace } from '@svc/application/intel/enrichment/enrichment-services.ts';
import { aiProviders, alertRules, enrichmentServices } from '../schema/index.ts';

/** Every column that has a secret, sealed: what of, and for which place. */
export const sealedSecrets = [
  {
    table: alertRules,
    column: alertRules.sealedSecret,
    placeOf: secretPlace,
    said: (name: string) => `the webhook of the alert rule “${name}”`,
  },
  {
    table: enrichmentServices,
    column: enrichmentServices.sealedToken,
    placeOf: enrichmentTokenPlace,
    said: (name: string) => `the enrichment service “${name}”`,
  },
  {
    table: aiProviders,
    column: aiProviders.sealedToken,
    placeOf: aiTokenPlace,
    said: (name: string) => `the AI provider “${name}”`,
  },
] as const;
