import type { PackOverride, RulePack, RulePackVersion } from '@svc/domain';

/** A version to be put in force. */
export interface NewPackVersion extends Omit<RulePackVersion, 'id'> {
  readonly name: string;
  /** Where its next version is looked for. */
  readonly url: string | null;
}

/** What can be changed of a pack without another version of its rules. */
export interface PackChange {
  readonly enabled?: boolean;
  readonly url?: string | null;
  /** Id of one of its versions. */
  readonly inForce?: number;
  readonly checked?: { readonly at: Date; readonly error: string | null };
}

/** Rule packs with their versions, newest first, and what was decided about their rules. */
export interface RulePackRepository {
  /** By name; the overrides of each with it. */
  list(): Promise<readonly { readonly pack: RulePack; readonly overrides: readonly PackOverride[] }[]>;
  versions(name: string): Promise<readonly RulePackVersion[]>;
  /**
   * Adds a version, or takes one with the same content that is there, and puts it in force, in one
   * transaction; `put` tells whether that changed anything. Versions older than the last ones that are kept
   * are removed and returned. Throws `conflict` when another content than `over` is in force; null is for none.
   */
  putInForce(
    version: NewPackVersion,
    over?: string | null,
  ): Promise<{ put: boolean; removed: readonly RulePackVersion[] }>;
  /** False when there is no such pack or version. */
  change(name: string, change: PackChange): Promise<boolean>;
  /**
   * Removes a pack with what was decided about its rules; its versions, null when there is no such pack. Throws
   * `conflict` when another content than `over` is in force.
   */
  remove(name: string, over?: string): Promise<readonly RulePackVersion[] | null>;
  /** Null takes a decision back; false when there is no such pack. */
  override(name: string, ruleId: string, decision: Omit<PackOverride, 'ruleId'> | null): Promise<boolean>;
}
