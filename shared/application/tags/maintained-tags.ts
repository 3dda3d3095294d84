import { tagName } from '@svc/domain';
import type { AlertRuleRepository } from '../alerts/alert-rule-repository.ts';
import type { SettingsStore } from '../admin/settings-store.ts';

interface Sources {
  readonly alertRules: Pick<AlertRuleRepository, 'sharedInForce'>;
  readonly settings: Pick<SettingsStore, 'current'>;
}

/**
 * Tags that shared rules in force give again whatever people do (resolved-intel 9.2), each with the names of these
 * rules, the oldest first; none while the site has shared rules off.
 */
export async function maintainedTags({ alertRules, settings }: Sources): Promise<ReadonlyMap<string, string[]>> {
  const by = new Map<string, string[]>();
  if (!(await settings.current()).builtinRulesEnabled) return by;
  for (const { name, actionTags } of await alertRules.sharedInForce()) {
    for (const tag of new Set(actionTags.map((given) => tagName(given.name)))) {
      by.set(tag, [...(by.get(tag) ?? []), name]);
    }
  }
  return by;
}
