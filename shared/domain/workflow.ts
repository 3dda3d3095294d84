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
  /** Where another engine is; null for where the site says that it is. */
  readonly program: EngineProgram | null;
  /** What a container gets mounted beside its files, as `source:target[:mode]`. */
  readonly containerOptions: readonly string[];
  /** Threads that another engine is given. */
  readonly threads: number;
  /** What `sigma-text` is told that the log is; null for what its type says. */
  readonly target: 'syslog' | 'auditd' | null;
  /** Of another engine. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Appended to the command line of another engine. */
  readonly extraArgs: readonly string[];
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

/** Where an engine is that does not come with the service: on a machine, in an image, or still to be built into one. */
export type EngineProgram =
  | {
      readonly kind: 'path';
      /** One for every machine, or by `x86_64-linux`, `aarch64-linux` and `aarch64-darwin`. */
      readonly path: string | Readonly<Record<string, string>>;
    }
  | { readonly kind: 'image'; readonly image: string }
  | {
      readonly kind: 'dockerfile';
      readonly dockerfile: string;
      /** Null for the folder of the Dockerfile. */
      readonly context: string | null;
      /** Null for a name that the service chooses. */
      readonly tag: string | null;
      /** Seconds. */
      readonly timeout: number;
    };

/** What a kind of machine is called in `tool_path`, of Node.js' names for processor and system. */
export function machineName(arch: string, platform: string): string {
  return `${{ x64: 'x86_64', arm64: 'aarch64' }[arch] ?? arch}-${platform}`;
}

/** The program for a kind of machine; null where there is none. */
export function pathFor(path: string | Readonly<Record<string, string>>, machine: string): string | null {
  if (typeof path === 'string') return path;
  return Object.entries(path).find(([name]) => name.replace('arm64', 'aarch64') === machine)?.[1] ?? null;
}

/** Engines that a task can name (resolved-platform 2.4), and the types that each reads; null for all. */
export const knownEngines: Readonly<Record<string, readonly LogType[] | null>> = {
  'sigma-native': null,
  'evtx-timeline': ['evtx'],
  'evtx-hunt': ['evtx'],
  'sigma-multi': ['evtx', 'json_evtx', 'json_winlogbeat', 'xml_evtx', 'auditd', 'sysmon_linux', 'journald'],
  'sigma-text': ['syslog', 'auditd'],
};

/** Those that are programs of others. */
export const externalEngines = ['evtx-timeline', 'evtx-hunt', 'sigma-multi', 'sigma-text'] as const;
export type ExternalEngine = (typeof externalEngines)[number];

/** The engine that comes with the service, which nothing has to be installed for. */
export const builtInEngine = 'sigma-native';

/** What becomes of a task here: it runs, is shown as skipped, or is left out. */
export const taskStates = ['runs', 'skipped', 'left_out'] as const;
export type TaskState = (typeof taskStates)[number];
