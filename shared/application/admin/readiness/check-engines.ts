import type { ReadinessCheck, WorkflowTask } from '@svc/domain';
import type { EnabledEngines } from '../../ports/detection-engine.ts';
import type { Ports } from '../../ports/ports.ts';

const section = 'Detection tools';

/** Whether the engine of each task of each workflow is here. */
export async function checkEngines({
  engines,
  workflows,
}: Pick<Ports, 'engines' | 'workflows'>): Promise<readonly ReadinessCheck[]> {
  const [all, enabled] = await Promise.all([workflows.list(), engines.current()]);
  const found = await Promise.all(
    all.map(async ({ id, name }) => checkWorkflow(name, await workflows.tasks(id), enabled)),
  );
  const problems = found.flat();
  if (problems.length > 0) return problems;
  const message = `The engines of all ${all.length} workflows are here`;
  return [{ section, name: 'Engines', level: 'PASS', message, fix: null }];
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
  return missing.map(({ tool }) => {
    const isAll = missing.length === wanted.length;
    const message = `The engine ${tool} is not here: ${isAll ? 'jobs of it fail' : 'its task is skipped, and its detections are missing'}`;
    return { ...check, level: isAll ? 'FAIL' : 'WARN', message, fix };
  });
}
