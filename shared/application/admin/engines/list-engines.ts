import type { AdminEngine, operations, OutputOf } from '@svc/contracts';
import {
  builtInEngine,
  engineNumber,
  engineTitles,
  externalEngines,
  knownEngines,
  type EngineProgram,
  type ExternalEngine,
} from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import type { BackgroundTask } from '../../work/background-task-repository.ts';
import { toBackgroundTaskRow } from '../tasks/background-task-row.ts';
import type { EngineRunFigures } from './engine-runs.ts';
import type { EngineSeen } from './engine-settings.ts';

export type ListEnginePorts = Pick<
  Ports,
  'backgroundTasks' | 'deployment' | 'engineRuns' | 'engineSettings' | 'workflows'
>;

/** Runs that figures are made of. */
const mostRuns = 1000;

/** The built-in engine, then those that are programs of others. */
export async function listEngines(ports: ListEnginePorts): Promise<OutputOf<typeof operations.listEngines>> {
  return { engines: await adminEngines(ports), on_demand: ports.deployment.heavyQueue };
}

/** One of them, as it is now. */
export async function adminEngine(ports: ListEnginePorts, name: ExternalEngine): Promise<AdminEngine> {
  return (await adminEngines(ports)).find((engine) => engine.name === name)!;
}

async function adminEngines(ports: ListEnginePorts): Promise<AdminEngine[]> {
  const [settings, figures, uses] = await Promise.all([
    ports.engineSettings.all(),
    ports.engineRuns.figures(mostRuns),
    usesOf(ports),
  ]);
  const shared = (name: string) => ({
    name,
    reads: knownEngines[name] ? [...knownEngines[name]] : null,
    runs: toRuns(figures.get(name)),
    workflows: uses.get(name) ?? [],
  });
  const native: AdminEngine = {
    ...shared(builtInEngine),
    title: 'The built-in engine',
    built_in: true,
    enabled: true,
    program: null,
    seen: null,
    task: null,
  };
  const others = externalEngines.map(async (name): Promise<AdminEngine> => {
    const { enabled = false, program = null, seen = null } = settings.get(name) ?? {};
    const task = await lastTask(ports, name);
    return {
      ...shared(name),
      title: engineTitles[name],
      built_in: false,
      enabled,
      program: program && shownProgram(program),
      seen: seen && toSeen(seen),
      task: task && toBackgroundTaskRow(task),
    };
  });
  return [native, ...(await Promise.all(others))];
}

/** Workflows by the engines that their tasks name. */
async function usesOf({ workflows }: ListEnginePorts): Promise<Map<string, { id: number; name: string }[]>> {
  const uses = new Map<string, { id: number; name: string }[]>();
  for (const { id, name } of await workflows.list()) {
    for (const tool of new Set((await workflows.tasks(id)).map((task) => task.tool))) {
      uses.set(tool, [...(uses.get(tool) ?? []), { id, name }]);
    }
  }
  return uses;
}

async function lastTask({ backgroundTasks }: ListEnginePorts, name: ExternalEngine): Promise<BackgroundTask | null> {
  const [test, image] = await Promise.all([
    backgroundTasks.latest('test_engine', engineNumber(name)),
    backgroundTasks.latest('prepare_engine_image', engineNumber(name)),
  ]);
  return (test?.id ?? 0) > (image?.id ?? 0) ? test : image;
}

/** One path is for every machine, as the page has it; only tasks of workflows have one for each. */
function shownProgram(program: EngineProgram): AdminEngine['program'] {
  if (program.kind !== 'path') return program;
  const { path } = program;
  return { kind: 'path', path: typeof path === 'string' ? path : Object.values(path).join(', ') };
}

function toSeen({ found, at, on, log }: EngineSeen): NonNullable<AdminEngine['seen']> {
  const isThere = !('missing' in found);
  return {
    version: isThere ? found.version : null,
    at: isThere ? found.at : null,
    digest: isThere ? found.digest : null,
    missing: isThere ? null : found.missing,
    looked_at: at.toISOString(),
    looked_on: on,
    log,
  };
}

function toRuns(figures: EngineRunFigures | undefined): AdminEngine['runs'] {
  if (figures === undefined || figures.runs === 0) return null;
  const { runs, failures, msPerMb, last } = figures;
  return {
    count: runs,
    failures,
    ms_per_mb: msPerMb,
    last: last && { job_id: last.jobId, at: last.at.toISOString(), status: last.status, error: last.error },
  };
}
