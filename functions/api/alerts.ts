import { deleteAlertRule, toggleAlertRule } from '@svc/application/alerts/change-alert-rules.ts';
import { getAlertRule, listAlertRules } from '@svc/application/alerts/list-alert-rules.ts';
import { changeAlertRule, createAlertRule } from '@svc/application/alerts/save-alert-rule.ts';
import { toggleStar } from '@svc/application/alerts/toggle-star.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  changeAlertRule,
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  toggleAlertRule,
  toggleStar,
} satisfies TableOf<'alerts'>;

export const handler = areaHandler(areaPorts.alerts, table);
