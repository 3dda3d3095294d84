import { namesOf, type Tellers } from './teller.ts';

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
} satisfies Partial<Tellers>;
