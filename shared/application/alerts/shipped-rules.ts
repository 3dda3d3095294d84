import type { AlertRuleDefinition, RuleList } from '@svc/domain';
import { createHash } from 'node:crypto';

export interface ShippedRule {
  readonly key: string;
  readonly definition: AlertRuleDefinition;
  /** Whether it is switched on where it is new. */
  readonly enabled: boolean;
}

export type ShippedList = Pick<RuleList, 'name' | 'match' | 'description' | 'values'>;

/** The alert rules and lists that come with the product; what does not parse is a problem, and the rest is there. */
export interface ShippedRules {
  readonly lists: readonly ShippedList[];
  readonly rules: readonly ShippedRule[];
  readonly problems: readonly string[];
}

/** Where they are put. */
export interface ShippedRuleStore {
  /**
   * Makes those that are missing, and brings up to date and takes back those that nobody has edited; nothing is taken
   * back where there are problems (resolved-intel 13.4).
   */
  seed(shipped: ShippedRules, at: Date): Promise<void>;
}

/** By which one that nobody has edited is told: of what it says, not of whether it is switched on. */
export function hashOfRule({ actionTags, webhook, ...rule }: AlertRuleDefinition): string {
  return hashOf([
    rule.name,
    rule.description,
    rule.scope,
    rule.query,
    rule.entityTypes,
    actionTags.map(({ name, color }) => [name, color]),
    rule.notifies,
    [
      webhook.url,
      webhook.method,
      Object.entries(webhook.headers).sort(([a], [b]) => (a < b ? -1 : 1)),
      webhook.enabled,
      webhook.template ?? null,
    ],
    rule.tellsOfWatchedJobs,
  ]);
}

export function hashOfList({ name, match, description, values }: ShippedList): string {
  return hashOf([name, match, description, values]);
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
