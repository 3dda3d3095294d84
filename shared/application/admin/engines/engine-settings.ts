import type { EngineProgram, ExternalEngine } from '@svc/domain';

/** What the site says of an engine that does not come with the service. */
export interface EngineSetting {
  /** Workflows that name it run it. */
  readonly enabled: boolean;
  /** Where it is, for tasks that do not say; null for where the runner of this deployment looks by itself. */
  readonly program: EngineProgram | null;
}

/** Settings of engines, which every process goes by. */
export interface EngineSettings {
  /** In force now, of engines that something was said of; the others are not enabled. */
  all(): Promise<ReadonlyMap<ExternalEngine, EngineSetting>>;
}
