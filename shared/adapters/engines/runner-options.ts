import type { CommandLimits } from './run-command.ts';

export interface LocalRunnerOptions {
  /** Where each run gets a folder; what dead processes left there is removed. */
  readonly scratch: { prepare(): Promise<void>; createFolder(): Promise<string> };
  /** The folder that all these are in. */
  readonly runs: string;
  /** What relative paths of workflows begin at. */
  readonly base: string;
  /** `podman` or `docker`, or where it is; null for the first that is on the PATH. */
  readonly containerRuntime: string | null;
  readonly registryPrefix: string;
  readonly limits: Omit<CommandLimits, 'seconds'> & { readonly processes: number };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A run as it is about to begin. */
export interface Prepared {
  /** Goes with the run; holds the output folder and nothing that the engine may not see. */
  readonly folder: string;
  readonly output: string;
}
