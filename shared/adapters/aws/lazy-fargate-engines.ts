import type { EngineRunner } from '@svc/application/ports/engine-runner.ts';
import type { Log } from '@svc/application/ports/log.ts';
import type { Environment } from '@svc/config';
import { externalEngines, type EngineProgram, type ExternalEngine } from '@svc/domain';
import { join, resolve } from 'node:path';
import type { FargateEngines, FargateEnginesOptions } from './fargate-engines.ts';
import { s3SettingsOf } from './s3-settings.ts';

const mib = 1_048_576;

type Engines = FargateEnginesOptions['engines'];

/** The engines that this deployment has images of; names of a later version are none. */
function enginesOf({ ENGINE_TASKS }: Environment): Engines {
  const known = ENGINE_TASKS.flatMap(({ engine, family, most }) => {
    const name = externalEngines.find((one) => one === engine);
    return name === undefined ? [] : [[name, { family, most }] as const];
  });
  return new Map(known);
}

/**
 * Has an engine run as a task of ECS where the deployment has an image of it and the workflow does not say where else it
 * is; `here` runs the others. The SDK is loaded for the first one.
 */
export function lazyFargateEngines(
  here: EngineRunner,
  environment: Environment,
  log: Log,
): { readonly runner: EngineRunner; close(): Promise<void> } {
  const engines = enginesOf(environment);
  let opening: Promise<FargateEngines> | null = null;
  const open = async (): Promise<FargateEngines> => {
    const { openFargateEngines } = await import('./fargate-engines.ts');
    const options: FargateEnginesOptions = {
      engines,
      cluster: environment.ENGINE_CLUSTER ?? '',
      bucket: environment.ENGINE_BUCKET ?? '',
      subnets: environment.ENGINE_SUBNETS,
      securityGroups: environment.ENGINE_SECURITY_GROUPS,
      folder: join(resolve(environment.DATA_DIR), 'engine-outputs'),
      maxOutputBytes: environment.ENGINE_OUTPUT_MAX_MB * mib,
      maxLogBytes: environment.MAX_LOG_OUTPUT_BYTES,
    };
    return openFargateEngines(s3SettingsOf(environment), options, log);
  };
  const deployed = (engine: ExternalEngine, program: EngineProgram | null) =>
    program === null ? engines.get(engine) : undefined;
  return {
    runner: {
      run: async (command, signal, read) => {
        const isHere = deployed(command.engine, command.program) === undefined;
        return (isHere ? here : await (opening ??= open())).run(command, signal, read);
      },
      find: async (engine, program) => {
        const family = deployed(engine, program)?.family;
        return family === undefined
          ? here.find(engine, program)
          : { version: null, at: `ECS: ${family}`, digest: null };
      },
      prepare: (program, said, signal) => here.prepare(program, said, signal),
    },
    close: async () => (await opening)?.close(),
  };
}
