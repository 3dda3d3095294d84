import type { AlertRule } from '@svc/domain';
import type { alertRules } from '../schema/index.ts';

/** A rule as it is stored. */
export function alertRuleOf(row: typeof alertRules.$inferSelect): AlertRule {
  const { webhookUrl, webhookMethod, webhookHeaders, webhookEnabled, webhookTemplate, sealedSecret, ...rest } = row;
  return {
    ...rest,
    webhook: {
      url: webhookUrl,
      method: webhookMethod,
      headers: webhookHeaders,
      enabled: webhookEnabled,
      template: webhookTemplate,
    },
    hasSecret: sealedSecret !== null,
  };
}
