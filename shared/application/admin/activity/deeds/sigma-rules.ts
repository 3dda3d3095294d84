import { many, namesOf, type Tellers } from './teller.ts';

/** Of Sigma rules and their packs. */
export const sigmaRuleDeeds = {
  importRulePack: ({ output: { pack } }) => ({
    action: 'admin.rule_pack.import',
    target: ['rule_pack', pack.name],
    summary: `Imported the rule pack ${pack.name}`,
  }),
  changeRulePack: ({ input, output: { name, enabled } }) => ({
    action: 'admin.rule_pack.update',
    target: ['rule_pack', name],
    summary: `Changed the rule pack ${name}`,
    metadata: { fields: namesOf(input), enabled },
  }),
  deleteRulePack: ({ input: { name } }) => ({
    action: 'admin.rule_pack.delete',
    target: ['rule_pack', name],
    summary: `Removed the rule pack ${name}`,
  }),
  testRule: null,
  saveRule: ({ output: { pack, rule_id: id } }) => ({
    action: 'admin.rule.save',
    target: ['rule', id],
    summary: 'Saved a Sigma rule',
    metadata: { pack },
  }),
  deleteRule: ({ input: { rule_id: id } }) => ({
    action: 'admin.rule.delete',
    target: ['rule', id],
    summary: 'Deleted a Sigma rule',
  }),
  overrideRule: ({ input: { name, rule_id: id, enabled, level } }) => ({
    action: 'admin.rule.override',
    target: ['rule', id],
    summary: `Decided about a Sigma rule of the pack ${name}`,
    metadata: { pack: name, enabled: enabled ?? null, level: level ?? null },
  }),
  previewSuppression: null,
  addSuppression: ({ output: { suppression } }) => ({
    action: 'job.suppress',
    target: ['rule', suppression.rule_id],
    summary: `Suppressed matches of a rule ${suppression.case_id === null ? 'in the instance' : 'in a case'}`,
    metadata: { suppression: suppression.id, case_id: suppression.case_id, expires_at: suppression.expires_at },
  }),
  removeSuppression: ({ input: { id } }) => ({
    action: 'job.unsuppress',
    target: ['suppression', id],
    summary: 'Took back what was suppressed',
  }),
  importRuleDecisions: ({ output: { overrides, suppressions } }) => ({
    action: 'admin.rule.import_decisions',
    summary: `Took in ${many(overrides, 'decision')} about rules and ${many(suppressions, 'suppression')}`,
    metadata: { overrides, suppressions },
  }),
} satisfies Partial<Tellers>;
