import {
  acknowledgeAlert,
  acknowledgeAlerts,
  acknowledgeJobAlert,
} from '@svc/application/alerts/acknowledge-alerts.ts';
import { explainAlert, explainJobAlert } from '@svc/application/alerts/explain-alert.ts';
import { listAlerts } from '@svc/application/alerts/list-alerts.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  acknowledgeAlert,
  acknowledgeAlerts,
  acknowledgeJobAlert,
  explainAlert,
  explainJobAlert,
  listAlerts,
} satisfies TableOf<'alerts'>;

export const handler = areaHandler(areaPorts.alerts, table);
