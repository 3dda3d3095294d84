import type { EngineProgram, ExternalEngine } from '@svc/domain';
import type { EngineFound } from '../../ports/engine-runner.ts';

/** What the site says of an engine that does not come with the service. */
export interface EngineSetting {
  /** Workflows that name it run it. */
  readonly enabled: boolean;
  /** Where it is, for tasks that do not say; null for where the runner of this deployment looks by itself. */
  readonly program: EngineProgram | null;
}

/** What a worker found of an engine when it last looked. */
export interface EngineSeen {
  readonly found: EngineFound;
  readonly at: Date;
  /** Its host. */
  readonly on: string;
  /** What was said meanwhile. */
  readonly log: string;
}

/** Settings of engines, which every process goes by, and what was found of them. */
export interface EngineSettings {
  /** In force now, of engines that something was said of; the others are not enabled. */
  all(): Promise<ReadonlyMap<ExternalEngine, EngineSetting & { readonly seen: EngineSeen | null }>>;
  /** Another program makes what was found of the earlier one nothing. */
  change(engine: ExternalEngine, change: Partial<EngineSetting>): Promise<void>;
  noteSeen(engine: ExternalEngine, seen: EngineSeen): Promise<void>;
}
