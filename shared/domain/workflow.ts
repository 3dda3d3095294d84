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
  /** When what it says was last changed; null for never. Jobs from before were done by something else. */
  readonly editedAt: Date | null;
}

/** Whether a workflow takes logs of this type. */
export function supportsType(workflow: { logTypes: readonly LogType[] }, type: LogType): boolean {
  return workflow.logTypes.length === 0 || workflow.logTypes.includes(type);
}

/** Where a workflow comes from: the product as it ships, one of its own that somebody has changed, or this site. */
export const workflowOrigins = ['shipped', 'edited', 'own'] as const;
export type WorkflowOrigin = (typeof workflowOrigins)[number];

export const workflowLimits = {
  name: 200,
  description: 2000,
  /** Characters of a definition. */
  definition: 65_536,
  tasks: 50,
  /** Characters of a document with workflows, and how many it may hold. */
  document: 1_048_576,
  workflows: 200,
} as const;

/** Engines that a task can name (resolved-platform 2.4), and the types that each reads; null for all. */
export const knownEngines: Readonly<Record<string, readonly LogType[] | null>> = {
  'sigma-native': null,
  'evtx-timeline': ['evtx'],
  'evtx-hunt': ['evtx'],
  'sigma-multi': ['evtx', 'json_evtx', 'json_winlogbeat', 'xml_evtx', 'auditd', 'sysmon_linux', 'journald'],
  'sigma-text': ['syslog', 'auditd'],
};

/** The engine that comes with the service, which nothing has to be installed for. */
export const builtInEngine = 'sigma-native';

/** What becomes of a task here: it runs, is shown as skipped, or is left out. */
export const taskStates = ['runs', 'skipped', 'left_out'] as const;
export type TaskState = (typeof taskStates)[number];
