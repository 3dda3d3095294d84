import { getWebhookDelivery } from '@svc/application/alerts/get-webhook-delivery.ts';
import { listWebhookDeliveries } from '@svc/application/alerts/list-webhook-deliveries.ts';
import { redeliverWebhook } from '@svc/application/alerts/redeliver-webhook.ts';
import { testWebhook } from '@svc/application/alerts/test-webhook.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhook,
} satisfies TableOf<'alerts'>;

export const handler = areaHandler(areaPorts.alerts, table);
