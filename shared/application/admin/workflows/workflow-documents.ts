import type { InputOf, operations, OutputOf, WorkflowProblem } from '@svc/contracts';
import { notFound, workflowLimits, type Actor } from '@svc/domain';
import { isDeepStrictEqual } from 'node:util';
import type { Ports } from '../../ports/ports.ts';
import { adviseWorkflow } from './advise-workflow.ts';
import { refusedWorkflow, warningsOf } from './check-workflow.ts';
import { readWorkflows, writeWorkflow, type DocumentedWorkflow, type ReadWorkflow } from './read-workflow.ts';
import type { SavePorts } from './save-workflow.ts';
import type { StoredWorkflow } from './workflow-store.ts';

type Imported = OutputOf<typeof operations.importWorkflows>;
type Change = Imported['changes'][number];

/** Workflows as YAML, a document each as they ship: those that are named, or all. */
export async function exportWorkflows(
  { workflowStore }: Pick<Ports, 'workflowStore'>,
  _actor: Actor,
  { ids }: InputOf<typeof operations.exportWorkflows>,
): Promise<Uint8Array> {
  const all = (await workflowStore.all()).filter(({ deletedAt }) => deletedAt === null);
  if (ids?.some((id) => !all.some((one) => one.id === id)) === true) throw notFound('workflow');
  const asked = ids ? all.filter(({ id }) => ids.includes(id)) : all;
  return new TextEncoder().encode(asked.map(writeWorkflow).join('---\n'));
}

/**
 * Takes the workflows of a text by their names, all of them or, when any is bad, none. With `dry_run` it only says what
 * would become of them. Throws `invalid_workflow` with all reasons.
 */
export async function importWorkflows(
  ports: SavePorts,
  _actor: Actor,
  { yaml_text: text, dry_run: isDry }: InputOf<typeof operations.importWorkflows>,
): Promise<Imported> {
  const read = readWorkflows(text);
  const errors = [...read.flatMap(({ problems }) => problems), ...amiss(read)];
  if (errors.some(({ level }) => level === 'error')) throw refusedWorkflow(errors);
  const entries = read.flatMap(({ workflow }) => workflow ?? []);
  const advice = await Promise.all(
    read.map((one) => adviseWorkflow(ports, { logTypes: one.workflow?.logTypes ?? [], tasks: one.tasks }, one)),
  );
  const changes = await ports.transaction(async (tx) => {
    const stored = (await tx.workflowStore.all()).filter(({ deletedAt }) => deletedAt === null);
    const planned = entries.map((entry) => ({ entry, before: stored.find(({ name }) => name === entry.name) ?? null }));
    for (const { entry, before } of isDry ? [] : planned) {
      const at = ports.clock.now();
      if (before === null) await tx.workflowStore.add(entry, at);
      else if (changedKeys(before, entry).length > 0)
        await tx.workflowStore.change(before.id, changed(before, entry), at);
    }
    return planned.map(({ entry, before }) => changeOf(entry, before));
  });
  const count = (change: Change['change']): number => changes.filter((one) => one.change === change).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    changes,
    warnings: warningsOf([...errors, ...advice.flat()]),
  };
}

function error(message: string, line: number | null = null): WorkflowProblem {
  return { level: 'error', key: '', message, line };
}

/** What is wrong with the documents of a text together. */
function amiss(read: readonly ReadWorkflow[]): WorkflowProblem[] {
  if (read.length === 0) return [error('has no workflow')];
  const most = workflowLimits.workflows;
  if (read.length > most) return [error(`has ${read.length} workflows; ${most} is the most`)];
  const repeated = read.filter(
    ({ workflow }, index) =>
      workflow !== null && read.slice(0, index).some((before) => before.workflow?.name === workflow.name),
  );
  const defaults = read.filter(({ workflow }) => workflow?.isDefault).slice(1);
  return [
    ...repeated.map(({ workflow, line }) => error(`names “${workflow!.name}” twice`, line)),
    ...defaults.map(({ line }) => error('has a second default', line)),
  ];
}

const documentKeys = {
  description: 'description',
  logTypes: 'log_types',
  isDefault: 'is_default',
  enabled: 'enabled',
  definition: 'tasks',
} as const;

/** What a document says otherwise. That it says nothing of the default takes the mark from nobody. */
function changedKeys(before: StoredWorkflow, entry: DocumentedWorkflow): (keyof typeof documentKeys)[] {
  const keys = Object.keys(documentKeys) as (keyof typeof documentKeys)[];
  return keys.filter((key) => {
    if (key === 'isDefault') return entry.isDefault && !before.isDefault;
    if (key === 'definition') return entry.definition.trimEnd() !== before.definition.trimEnd();
    return !isDeepStrictEqual(before[key], entry[key]);
  });
}

function changed(before: StoredWorkflow, entry: DocumentedWorkflow): Partial<DocumentedWorkflow> {
  return Object.fromEntries(changedKeys(before, entry).map((key) => [key, entry[key]]));
}

function changeOf(entry: DocumentedWorkflow, before: StoredWorkflow | null): Change {
  if (before === null) return { name: entry.name, change: 'created', keys: [] };
  const keys = changedKeys(before, entry).map((key) => documentKeys[key]);
  return { name: entry.name, change: keys.length === 0 ? 'unchanged' : 'updated', keys };
}
