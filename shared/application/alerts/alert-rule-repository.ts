import type { Account, AlertRule, AlertRuleDefinition } from '@svc/domain';

/** A rule with who owns it, as others are told; null for a shared one. */
export interface OwnedAlertRule extends AlertRule {
  readonly owner: Pick<Account, 'email' | 'displayName'> | null;
  /** The entity whose star made it, while that is there. */
  readonly starred: { readonly type: string; readonly value: string } | null;
}

export interface NewAlertRule {
  readonly definition: AlertRuleDefinition;
  /** Null of a shared one, which has a key. */
  readonly ownerId: string | null;
  readonly key: string | null;
  readonly enabled: boolean;
  /** The entity whose star makes it. @default null */
  readonly autoEntityId?: number | null;
  /** Of what is shipped. @default null */
  readonly seedHash?: string | null;
  /** The account that makes it; null of a process. */
  readonly by: string | null;
  readonly at: Date;
}

/** What becomes another version of a rule. */
export interface AlertRuleChange {
  readonly definition: AlertRuleDefinition;
  /** Of what is shipped; null once somebody has edited it. */
  readonly seedHash: string | null;
  readonly by: string | null;
  readonly at: Date;
}

export interface AlertRuleVersion {
  /** From 1. */
  readonly version: number;
  readonly definition: AlertRuleDefinition;
  readonly changedBy: Pick<Account, 'email' | 'displayName'> | null;
  readonly changedAt: Date;
}

/** Rules of users and of the site. What writes is part of a transaction. */
export interface AlertRuleRepository {
  get(id: number): Promise<OwnedAlertRule | null>;
  /** Those that an account may read, by their ids: its own and shared ones, for administrators all. */
  readable(by: { readonly userId: string; readonly isAdmin: boolean }): Promise<readonly OwnedAlertRule[]>;
  /** Shared ones that are switched on, the oldest first. */
  sharedInForce(): Promise<readonly AlertRule[]>;
  /** How many an account owns. Within a transaction, others who ask for the same wait for its end. */
  countOwn(ownerId: string): Promise<number>;
  /** Those of some entities that the account has starred. */
  starred(ownerId: string, entityIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** The rule that the star of an account on an entity made. */
  ofStar(ownerId: string, entityId: number): Promise<number | null>;
  /** Makes a rule and its first version; throws `conflict` for a key that another one has. Its id. */
  insert(rule: NewAlertRule): Promise<number>;
  /** Gives a rule another definition, and keeps the last versions; one that says the same makes none. */
  change(id: number, change: AlertRuleChange): Promise<void>;
  /** Keeps the secret of its webhook, sealed for {@link secretPlace}; null for none. */
  keepSecret(id: number, sealed: string | null): Promise<void>;
  sealedSecret(id: number): Promise<string | null>;
  switch(id: number, enabled: boolean): Promise<void>;
  /** Deletes it with all that hangs on it. */
  delete(id: number): Promise<void>;
  /** The newest first. */
  versions(id: number): Promise<readonly AlertRuleVersion[]>;
}

/** Where the secret of a rule's webhook is kept, for which it is sealed. */
export function secretPlace(ruleId: number): string {
  return `alert_rule:${ruleId}/webhook_secret`;
}
