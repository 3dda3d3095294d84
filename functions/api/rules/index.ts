import { httpHandler } from '../../http-handler.ts';
import { changeRulePackRoute } from './change-rule-pack.ts';
import { deleteRulePackRoute } from './delete-rule-pack.ts';
import { getCompiledRulesRoute } from './get-compiled-rules.ts';
import { getRulePackRoute } from './get-rule-pack.ts';
import { getRulePackReportRoute } from './get-rule-pack-report.ts';
import { getTriagePlanRoute } from './get-triage-plan.ts';
import { importRulePackRoute } from './import-rule-pack.ts';
import { getRuleRoute } from './get-rule.ts';
import { listRulesRoute } from './list-rules.ts';
import { listRulePacksRoute } from './list-rule-packs.ts';
import { overrideRuleRoute } from './override-rule.ts';
import { saveRuleRoute } from './save-rule.ts';
import { deleteRuleRoute } from './delete-rule.ts';
import { testRuleRoute } from './test-rule.ts';

export const handler = httpHandler([
  changeRulePackRoute,
  deleteRulePackRoute,
  getCompiledRulesRoute,
  getRulePackRoute,
  getRulePackReportRoute,
  getTriagePlanRoute,
  importRulePackRoute,
  getRuleRoute,
  listRulesRoute,
  listRulePacksRoute,
  overrideRuleRoute,
  saveRuleRoute,
  deleteRuleRoute,
  testRuleRoute,
]);
