import type { OperationName } from '@svc/contracts';
import type { Deed } from '@svc/domain';
import { aiDeeds } from './deeds/ai.ts';
import { alertRuleDeeds } from './deeds/alert-rules.ts';
import { caseDeeds } from './deeds/cases.ts';
import { discussionDeeds } from './deeds/discussions.ts';
import { enrichmentDeeds } from './deeds/enrichment.ts';
import { exportDeeds } from './deeds/exports.ts';
import { intelDeeds } from './deeds/intel.ts';
import { jobDeeds } from './deeds/jobs.ts';
import { sigmaRuleDeeds } from './deeds/sigma-rules.ts';
import { signInDeeds } from './deeds/sign-ins.ts';
import { siteDeeds } from './deeds/site.ts';
import type { Before, Teller, Tellers } from './deeds/teller.ts';
import { workflowDeeds } from './deeds/workflows.ts';

/** What is recorded of each operation (service 6.4, resolved-platform 17); never what somebody wrote, nor a secret. */
const deeds = {
  ...jobDeeds,
  ...discussionDeeds,
  ...caseDeeds,
  ...intelDeeds,
  ...aiDeeds,
  ...alertRuleDeeds,
  ...sigmaRuleDeeds,
  ...signInDeeds,
  ...siteDeeds,
  ...workflowDeeds,
  ...enrichmentDeeds,
  ...exportDeeds,
} satisfies Tellers;

const tellers: Readonly<Partial<Record<OperationName, Teller<never> | null>>> = deeds;

/** What a request has done; null where nothing of it is recorded. */
export function deedOf(
  name: OperationName,
  told: { readonly input: unknown; readonly output: unknown; readonly before: Before },
): Deed | null {
  // The table says of each operation what its request and its answer are.
  return tellers[name]?.(told as never) ?? null;
}

/** Whether anything of the operation is recorded. */
export function isTold(name: OperationName): boolean {
  return (tellers[name] ?? null) !== null;
}
