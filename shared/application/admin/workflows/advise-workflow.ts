import type { WorkflowProblem } from '@svc/contracts';
import { programOf, type TaskDefinition } from '@svc/contracts/workflow-definition.ts';
import {
  builtInEngine,
  knownEngines,
  logTypeLabels,
  machineName,
  pathFor,
  type LogType,
  type TaskState,
} from '@svc/domain';
import type { DetectionEngine, EnabledEngines } from '../../ports/detection-engine.ts';
import type { Ports } from '../../ports/ports.ts';
import { problem, type ReadDefinition } from './read-workflow.ts';

export type AdvicePorts = Pick<Ports, 'engines' | 'rulePacks'>;

interface Advised {
  readonly logTypes: readonly LogType[];
  readonly tasks: readonly TaskDefinition[];
}

/** What of a valid workflow will not work here: tasks that do not run, types that they cannot read, packs that are not there. */
export async function adviseWorkflow(
  ports: AdvicePorts,
  { logTypes, tasks }: Advised,
  { lineOf }: Pick<ReadDefinition, 'lineOf'>,
): Promise<WorkflowProblem[]> {
  const engines = await ports.engines.current();
  const packs = new Map((await ports.rulePacks.list()).map(({ pack }) => [pack.name, pack.enabled]));
  const warn = (path: readonly (string | number)[], message: string) => problem('warning', { lineOf }, path, message);
  const each = tasks.flatMap((task, index) =>
    [...engineAdvice(engines, task), ...typeAdvice(engines, task, logTypes), ...ruleAdvice(task, packs)].map(
      ([key, message]) => warn(['tasks', index, key], message),
    ),
  );
  const runs = tasks.some((task) => stateOf(engines, task) === 'runs' && readable(engines, task, logTypes) !== 'none');
  return runs ? each : [...each, warn(['tasks'], 'no task can run here: every job would fail')];
}

/** What becomes of a task here, whatever the log is. */
export function stateOf(engines: EnabledEngines, task: TaskDefinition): TaskState {
  if (engineOf(engines, task) !== null) return 'runs';
  return task.when_available ? 'left_out' : 'skipped';
}

function engineOf(engines: EnabledEngines, task: TaskDefinition): DetectionEngine | null {
  return engines.get({ tool: task.tool, program: programOf(task) });
}

type Advice = readonly [key: string, message: string];

function engineAdvice(engines: EnabledEngines, task: TaskDefinition): Advice[] {
  const { tool, tool_path: paths } = task;
  const state = stateOf(engines, task);
  const why = tool in knownEngines ? 'is not enabled here' : 'is no engine that is known';
  const fate = state === 'left_out' ? 'left out' : 'skipped';
  const machine = machineName(process.arch, process.platform);
  const isElsewhere = paths !== undefined && pathFor(paths, machine) === null;
  return [
    ...(state === 'runs' ? [] : ([['tool', `“${tool}” ${why}: the task is ${fate}`]] as const)),
    ...(isElsewhere ? ([['tool_path', `has no program for ${machine}, which this machine is`]] as const) : []),
  ];
}

function typeAdvice(engines: EnabledEngines, task: TaskDefinition, logTypes: readonly LogType[]): Advice[] {
  const reads = readable(engines, task, logTypes);
  if (reads === 'all' || stateOf(engines, task) === 'left_out') return [];
  if (reads === 'none') return [['tool', `${task.tool} reads none of the types that the workflow takes`]];
  return [['tool', `${task.tool} reads only ${reads.map((type) => logTypeLabels[type]).join(', ')} of the types`]];
}

/** Which of the types that a workflow takes the engine of a task reads. */
function readable(
  engines: EnabledEngines,
  task: TaskDefinition,
  logTypes: readonly LogType[],
): 'all' | 'none' | readonly LogType[] {
  const types = engineOf(engines, task)?.supportedTypes ?? knownEngines[task.tool] ?? null;
  if (types === null || logTypes.length === 0) return 'all';
  const known = new Set(types);
  const read = logTypes.filter((type) => known.has(type));
  if (read.length === logTypes.length) return 'all';
  return read.length === 0 ? 'none' : read;
}

function ruleAdvice(task: TaskDefinition, packs: ReadonlyMap<string, boolean>): Advice[] {
  if (task.tool !== builtInEngine) {
    return task.packs === null ? [] : [['packs', `is read by ${builtInEngine} alone`]];
  }
  const named = (task.packs ?? []).flatMap((name): Advice[] => {
    const enabled = packs.get(name);
    if (enabled === undefined) return [['packs', `names “${name}”, which is not here: jobs would fail`]];
    return enabled ? [] : [['packs', `names “${name}”, which is switched off and not used`]];
  });
  const other: Advice[] =
    task.rules_path.length === 0 ? [] : [['rules_path', `is not read by ${builtInEngine}, which takes packs`]];
  return [...named, ...other];
}
