import { many, namesOf, targets, type Tellers } from './teller.ts';

/** Of alert rules, lists, alerts and deliveries. */
export const alertRuleDeeds = {
  createAlertRule: ({ output: { rule } }) => ({
    action: 'intel.watch_rule.create',
    target: targets.alertRule(rule.id),
    summary: `Created the alert rule ${rule.name}`,
  }),
  changeAlertRule: ({ input, output: { rule } }) => ({
    action: 'intel.watch_rule.edit',
    target: targets.alertRule(rule.id),
    summary: `Changed the alert rule ${rule.name}`,
    metadata: { fields: namesOf(input) },
  }),
  restoreAlertRule: ({ input: { version }, output: { rule } }) => ({
    action: 'intel.watch_rule.edit',
    target: targets.alertRule(rule.id),
    summary: `Restored a version of the alert rule ${rule.name}`,
    metadata: { version },
  }),
  promoteSet: ({ output: { rule } }) => ({
    action: 'intel.watch_rule.edit',
    target: targets.alertRule(rule.id),
    summary: `Made a list of the values of the alert rule ${rule.name}`,
  }),
  toggleAlertRule: ({ input: { id }, output: { enabled } }) => ({
    action: 'intel.watch_rule.toggle',
    target: targets.alertRule(id),
    summary: `Switched an alert rule ${enabled ? 'on' : 'off'}`,
    metadata: { enabled },
  }),
  deleteAlertRule: ({ input: { id } }) => ({
    action: 'intel.watch_rule.delete',
    target: targets.alertRule(id),
    summary: 'Deleted an alert rule',
  }),
  dryRunAlertRule: ({ input: { rule_id: id }, output: { jobs } }) => ({
    action: 'intel.watch_rule.test',
    ...(id !== null && { target: targets.alertRule(id) }),
    summary: `Tried an alert rule on ${many(jobs, 'recent job')}`,
  }),
  beginBacktest: ({ input: { rule_id: id } }) => ({
    action: 'intel.watch_rule.test',
    ...(id !== null && { target: targets.alertRule(id) }),
    summary: 'Began a back-test of an alert rule',
  }),
  cancelBacktest: null,
  toggleStar: ({ input: { id }, output: { watching } }) => ({
    action: watching ? 'intel.watch_rule.create' : 'intel.watch_rule.delete',
    target: targets.entity(id),
    summary: watching ? 'Put a star on an entity' : 'Took the star off an entity',
  }),
  createRuleList: ({ output: { id, name, count } }) => ({
    action: 'intel.rule_list.create',
    target: targets.list(id),
    summary: `Created the list ${name}`,
    metadata: { count },
  }),
  editRuleList: ({ input, output: { id, name, count } }) => ({
    action: 'intel.rule_list.edit',
    target: targets.list(id),
    summary: `Changed the list ${name}`,
    metadata: { fields: namesOf(input), count },
  }),
  refreshRuleList: ({ output: { id, name, count } }) => ({
    action: 'intel.rule_list.edit',
    target: targets.list(id),
    summary: `Read the list ${name} from its source`,
    metadata: { count },
  }),
  deleteRuleList: ({ input: { id } }) => ({
    action: 'intel.rule_list.delete',
    target: targets.list(id),
    summary: 'Deleted a list',
  }),
  importAlertRules: ({ input, output }) =>
    input.dry_run
      ? null
      : {
          action: 'intel.watch_rule.import',
          summary: `Imported alert rules: ${output.created} new, ${output.updated} changed`,
          metadata: {
            created: output.created,
            updated: output.updated,
            lists_created: output.lists_created,
            lists_updated: output.lists_updated,
          },
        },
  acknowledgeAlert: ({ input: { id } }) => ({
    action: 'intel.watch_alert.ack',
    target: ['watch_alert', id],
    summary: 'Acknowledged an alert',
  }),
  acknowledgeJobAlert: ({ input: { id } }) => ({
    action: 'intel.watch_alert.ack',
    target: ['watch_alert', id],
    summary: 'Acknowledged an alert on a job',
  }),
  acknowledgeAlerts: () => ({ action: 'intel.watch_alert.ack', summary: 'Acknowledged all alerts of theirs' }),
  redeliverWebhook: ({ input: { id } }) => ({
    action: 'intel.watch_rule.redeliver',
    target: ['delivery', id],
    summary: 'Had a delivery sent again',
  }),
  testWebhook: ({ input: { id } }) => ({
    action: 'intel.watch_rule.test',
    target: targets.alertRule(id),
    summary: 'Sent a test delivery',
  }),
} satisfies Partial<Tellers>;
