import type { ReadinessCheck } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** Whom webhooks of rules can reach, for those who answer for the network that the service is in (service 5.7). */
export function checkWebhookReceivers({ deployment }: Pick<Ports, 'deployment'>): ReadinessCheck {
  const check = { section: 'Configuration', name: 'Webhooks' } as const;
  if (deployment.webhooks.publicOnly) {
    return { ...check, level: 'PASS', message: 'Webhooks of rules reach hosts of the Internet alone', fix: null };
  }
  return {
    ...check,
    level: 'INFO',
    message: 'Webhooks of rules may reach private addresses, those of this machine among them',
    fix: 'Set WEBHOOK_REQUIRE_PUBLIC_HOST=true where members are not to reach the network that the service is in',
  };
}
