import type { DetectionEngine, EngineCatalog } from '@svc/application/ports/detection-engine.ts';
import type { EngineRunner } from '@svc/application/ports/engine-runner.ts';
import type { RuleCompiler } from '@svc/application/ports/rule-compiler.ts';
import type { Environment } from '@svc/config';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { engineCatalog, type SettingsInForce } from './engine-catalog.ts';
import { LocalEngineRunner } from './local-engine-runner.ts';
import { RuleBundles } from './rule-bundles.ts';

export type EngineEnvironment = Pick<
  Environment,
  | 'ENGINE_CONTAINER_RUNTIME'
  | 'ENGINE_MEMORY_MB'
  | 'ENGINE_OUTPUT_MAX_MB'
  | 'MAX_LOG_OUTPUT_BYTES'
  | 'REGISTRY_PREFIX'
  | 'UNPACK_MAX_MB'
>;

export interface EnginePlacesHere {
  readonly dataDir: string;
  /** What relative paths of workflows begin at. */
  readonly base: string;
  /** In `engine-runs` of the data folder. */
  readonly scratch: { prepare(): Promise<void>; createFolder(): Promise<string> };
}

export interface CatalogPorts {
  readonly runner: EngineRunner;
  readonly settings: SettingsInForce;
  readonly compiler: Pick<RuleCompiler, 'read' | 'compile' | 'combine'>;
}

const mib = 1_048_576;
/** Processes and threads of one container. */
const mostProcesses = 512;

/** Engines of others as the environment has them: what runs them on this machine, and what says which there are. */
export function openEngines(
  environment: EngineEnvironment,
  variables: Readonly<Record<string, string | undefined>>,
  { dataDir, base, scratch }: EnginePlacesHere,
): {
  readonly runner: EngineRunner;
  readonly catalog: (native: DetectionEngine, ports: CatalogPorts) => EngineCatalog;
} {
  const runner = new LocalEngineRunner({
    scratch,
    runs: join(dataDir, 'engine-runs'),
    base,
    containerRuntime: environment.ENGINE_CONTAINER_RUNTIME ?? null,
    registryPrefix: environment.REGISTRY_PREFIX,
    limits: {
      logBytes: environment.MAX_LOG_OUTPUT_BYTES,
      folderBytes: environment.ENGINE_OUTPUT_MAX_MB * mib,
      memoryBytes: environment.ENGINE_MEMORY_MB * mib,
      processes: mostProcesses,
    },
    environment: variables,
  });
  // Where an engine has run before, something may be left of it.
  if (existsSync(join(dataDir, 'engine-runs'))) void runner.sweep().catch(() => undefined);
  const maxUnpackedBytes = environment.UNPACK_MAX_MB * mib;
  return {
    runner,
    catalog: (native, { settings, compiler, runner: chosen }) => {
      const bundles = new RuleBundles({ folder: join(dataDir, 'engine-rules'), compiler });
      return engineCatalog(native, settings, {
        runner: chosen,
        results: native,
        bundles,
        scratch,
        base,
        maxUnpackedBytes,
      });
    },
  };
}
