import type { EntityType } from './entity.ts';
import type { WebhookMethod, WebhookTemplate } from './webhook.ts';

/** What a rule of a user or of the site looks at (service 2.9). */
export const alertRuleScopes = ['entity', 'job'] as const;
export type AlertRuleScope = (typeof alertRuleScopes)[number];

/** Longest texts, in characters, the most tags of a rule, and versions that are kept of one (resolved-intel 10.1, 24). */
export const alertRuleLimits = {
  name: 120,
  description: 500,
  key: 50,
  query: 500,
  url: 500,
  headers: 2000,
  secret: 500,
  tags: 10,
  versions: 20,
} as const;

/** A tag that a rule gives, with the colour that it has when it is new. */
export interface ActionTag {
  readonly name: string;
  readonly color: string;
}

/** Where a rule tells of its matches; without its secret, which is sealed. */
export interface RuleWebhook {
  readonly url: string | null;
  readonly method: WebhookMethod;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly enabled: boolean;
  /** @default the product's own body */
  readonly template?: WebhookTemplate | null;
}

/** What a rule says: all that its editor changes, and that a version keeps. */
export interface AlertRuleDefinition {
  readonly name: string;
  readonly description: string;
  readonly scope: AlertRuleScope;
  /** In the search language of entities or of jobs; all of its terms must hold. */
  readonly query: string;
  /** Of a rule on entities; none means all. */
  readonly entityTypes: readonly EntityType[];
  readonly actionTags: readonly ActionTag[];
  /** Whether matches are alerts in the bell. */
  readonly notifies: boolean;
  readonly webhook: RuleWebhook;
  /** Whether what its owner is told of watched jobs goes to the webhook, too. */
  readonly tellsOfWatchedJobs: boolean;
}

/** A rule of a user, or, without an owner and with a key, of the whole site. */
export interface AlertRule extends AlertRuleDefinition {
  readonly id: number;
  readonly ownerId: string | null;
  readonly key: string | null;
  readonly enabled: boolean;
  readonly hasSecret: boolean;
  /** The entity whose star made it. */
  readonly autoEntityId: number | null;
  /** Of what was shipped; null when it has never been seeded, or was edited since. */
  readonly seedHash: string | null;
  readonly lastEvaluatedAt: Date | null;
  readonly lastMatchedAt: Date | null;
  /** When a cap last cut its matches. */
  readonly lastTruncatedAt: Date | null;
  /** Alerts that were recorded. */
  readonly matchCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
