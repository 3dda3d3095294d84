import { engineTitles, type ExternalEngine, type ReadinessCheck, type WorkflowTask } from '@svc/domain';
import type { EnabledEngines } from '../../ports/detection-engine.ts';
import type { Ports } from '../../ports/ports.ts';
import type { EngineSeen, EngineSetting } from '../engines/engine-settings.ts';

const section = 'Detection tools';

/** Whether the engine of each task of each workflow is here, and those that are enabled were found. */
export async function checkEngines({
  engines,
  engineSettings,
  workflows,
}: Pick<Ports, 'engines' | 'engineSettings' | 'workflows'>): Promise<readonly ReadinessCheck[]> {
  const [all, enabled, settings] = await Promise.all([workflows.list(), engines.current(), engineSettings.all()]);
  const found = await Promise.all(
    all.map(async ({ id, name }) => checkWorkflow(name, await workflows.tasks(id), enabled)),
  );
  const others = [...settings].flatMap(([name, setting]) => (setting.enabled ? [checkEngine(name, setting)] : []));
  return [...others, ...found.flat()];
}

/** By what a worker found when it last looked; the process that serves may have none of the programs. */
function checkEngine(
  engine: ExternalEngine,
  { seen }: EngineSetting & { readonly seen: EngineSeen | null },
): ReadinessCheck {
  const check = { section, name: engineTitles[engine] };
  const fix = 'Look for it on the page Engines, which says how it is installed, or disable it there';
  if (seen === null) {
    return { ...check, level: 'WARN', message: `${engine} is enabled, and no worker has looked for it`, fix };
  }
  const { found, on } = seen;
  if ('missing' in found) {
    return { ...check, level: 'WARN', message: `${engine} cannot run on ${on}: ${found.missing}`, fix };
  }
  const version = found.version === null ? '' : ` ${found.version}`;
  return { ...check, level: 'PASS', message: `${engine}${version} is ${found.at} on ${on}`, fix: null };
}

function checkWorkflow(workflow: string, tasks: readonly WorkflowTask[], engines: EnabledEngines): ReadinessCheck[] {
  const check = { section, name: `Workflow ${workflow}` } as const;
  const fix = 'Name sigma-native, the engine that comes with the service, in its place';
  // What is left out where its engine is not here is meant to be.
  const wanted = tasks.filter((task) => !task.whenAvailable || engines.get(task) !== null);
  if (wanted.length === 0) {
    return [{ ...check, level: 'FAIL', message: 'It has no task that can run here, so its jobs fail', fix }];
  }
  const missing = wanted.filter((task) => engines.get(task) === null);
  if (missing.length === 0) {
    const left = tasks.filter((task) => !wanted.includes(task));
    const message = `Runs ${toolsOf(wanted)}${left.length === 0 ? '' : `; leaves out ${toolsOf(left)}, not enabled here`}`;
    return [{ ...check, level: 'PASS', message, fix: null }];
  }
  return missing.map(({ tool }) => {
    const isAll = missing.length === wanted.length;
    const message = `The engine ${tool} is not here: ${isAll ? 'jobs of it fail' : 'its task is skipped, and its detections are missing'}`;
    return { ...check, level: isAll ? 'FAIL' : 'WARN', message, fix };
  });
}

function toolsOf(tasks: readonly WorkflowTask[]): string {
  return tasks.map(({ tool }) => tool).join(', ');
}
