import type { LogType } from './log-type.ts';
import type { RuleFilters } from './rule-pack.ts';

/** One task of a workflow (resolved-platform 2.2), as far as the engines that exist use its keys. */
export interface WorkflowTask {
  /** Engine id. */
  readonly tool: string;
  /** Left out, not skipped, where the engine is not enabled (architecture 6). */
  readonly whenAvailable: boolean;
  /** Names of rule packs, for engines that use those; null for every pack that is enabled. */
  readonly packs: readonly string[] | null;
  readonly filters: RuleFilters;
  /** Rule folders of other engines, relative to the configuration folder unless absolute. */
  readonly rulesPaths: readonly string[];
  /** Seconds. */
  readonly timeout: number;
  /** Sample events kept per finding; null for the site's setting. */
  readonly maxFindingDetails: number | null;
}

export interface Workflow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Empty: every type, `unknown` included. */
  readonly logTypes: readonly LogType[];
  readonly isDefault: boolean;
}

/** Whether a workflow takes logs of this type. */
export function supportsType(workflow: { logTypes: readonly LogType[] }, type: LogType): boolean {
  return workflow.logTypes.length === 0 || workflow.logTypes.includes(type);
}
