import { beginBacktest, cancelBacktest, getBacktest, listBacktests } from '@svc/application/alerts/backtest-rule.ts';
import { deleteAlertRule, toggleAlertRule } from '@svc/application/alerts/change-alert-rules.ts';
import { exportAlertRules } from '@svc/application/alerts/export-alert-rules.ts';
import { importAlertRules } from '@svc/application/alerts/import-alert-rules.ts';
import { getAlertRule, listAlertRules } from '@svc/application/alerts/list-alert-rules.ts';
import { listAlertRuleVersions, restoreAlertRule } from '@svc/application/alerts/rule-versions.ts';
import { changeAlertRule, createAlertRule } from '@svc/application/alerts/save-alert-rule.ts';
import { toggleStar } from '@svc/application/alerts/toggle-star.ts';
import { getRuleList, listRuleLists } from '@svc/application/alerts/list-rule-lists.ts';
import { refreshRuleList } from '@svc/application/alerts/refresh-rule-lists.ts';
import { promoteSet } from '@svc/application/alerts/promote-set.ts';
import { dryRunAlertRule, previewAlertRule } from '@svc/application/alerts/try-rule.ts';
import { createRuleList, deleteRuleList, editRuleList } from '@svc/application/alerts/write-rule-list.ts';
import { getWebhookDelivery } from '@svc/application/alerts/get-webhook-delivery.ts';
import { listWebhookDeliveries } from '@svc/application/alerts/list-webhook-deliveries.ts';
import { redeliverWebhook } from '@svc/application/alerts/redeliver-webhook.ts';
import { testWebhook } from '@svc/application/alerts/test-webhook.ts';
import {
  acknowledgeAlert,
  acknowledgeAlerts,
  acknowledgeJobAlert,
} from '@svc/application/alerts/acknowledge-alerts.ts';
import { explainAlert, explainJobAlert } from '@svc/application/alerts/explain-alert.ts';
import { listAlerts } from '@svc/application/alerts/list-alerts.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  beginBacktest,
  cancelBacktest,
  changeAlertRule,
  createAlertRule,
  deleteAlertRule,
  dryRunAlertRule,
  getBacktest,
  exportAlertRules: presented(exportAlertRules, (bytes) => ({
    headers: { 'content-disposition': 'attachment; filename="svc-rules.yml"' },
    bytes,
  })),
  getAlertRule,
  importAlertRules,
  listAlertRules,
  listAlertRuleVersions,
  listBacktests,
  previewAlertRule,
  promoteSet,
  restoreAlertRule,
  toggleAlertRule,
  toggleStar,
  createRuleList,
  deleteRuleList,
  editRuleList,
  getRuleList,
  listRuleLists,
  refreshRuleList,
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhook,
  acknowledgeAlert,
  acknowledgeAlerts,
  acknowledgeJobAlert,
  explainAlert,
  explainJobAlert,
  listAlerts,
} satisfies TableOf<'alerts'>;

export const handler = areaHandler(areaPorts.alerts, table);
