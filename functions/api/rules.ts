import { changeRulePack } from '@svc/application/rules/change-rule-pack.ts';
import { deleteRulePack } from '@svc/application/rules/delete-rule-pack.ts';
import { deleteRule } from '@svc/application/rules/delete-rule.ts';
import { getCoverage } from '@svc/application/rules/get-coverage.ts';
import { getOfferedPack } from '@svc/application/rules/get-offered-pack.ts';
import { getRulePackReport } from '@svc/application/rules/get-rule-pack-report.ts';
import { getRulePack } from '@svc/application/rules/get-rule-pack.ts';
import { getRule } from '@svc/application/rules/get-rule.ts';
import { importRulePack } from '@svc/application/rules/import-rule-pack.ts';
import { listPacksInForce } from '@svc/application/rules/list-packs-in-force.ts';
import { listRulePacks } from '@svc/application/rules/list-rule-packs.ts';
import { listRules } from '@svc/application/rules/list-rules.ts';
import { overrideRule } from '@svc/application/rules/override-rule.ts';
import { saveRule } from '@svc/application/rules/save-rule.ts';
import { testRule } from '@svc/application/rules/test-rule.ts';
import { getCompiledRules } from '@svc/application/rules/get-compiled-rules.ts';
import { getTriagePlan } from '@svc/application/rules/get-triage-plan.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  changeRulePack,
  deleteRule,
  deleteRulePack,
  getCompiledRules: presented(getCompiledRules, (bytes) => ({
    bytes,
    // The same for ever: other rules have another digest.
    headers: { 'cache-control': 'private, max-age=31536000, immutable', vary: 'Accept-Encoding' },
  })),
  getCoverage,
  getOfferedPack,
  getRule,
  getRulePack,
  getRulePackReport,
  getTriagePlan,
  importRulePack: presented(importRulePack, ({ changed }) => ({ status: changed ? 201 : 200 })),
  listPacksInForce,
  listRulePacks,
  listRules,
  overrideRule,
  saveRule,
  testRule,
} satisfies TableOf<'rules'>;

export const handler = areaHandler(areaPorts.rules, table);
