import { type Actor, corePackName, type WorkflowTask } from '@svc/domain';
import { type DetectionEngine, EngineFailure, type ReadyRules } from '../ports/detection-engine.ts';
import type { Ports } from '../ports/ports.ts';
import { rulesForTask, type RulePorts } from './rules-for-task.ts';

export type TriagePorts = RulePorts & Pick<Ports, 'engines' | 'settings' | 'workflows'>;

/** Whether this browser gets the site's own rules, which anybody can then read there. */
export async function getsAllRules({ settings }: Pick<Ports, 'settings'>, actor: Actor): Promise<boolean> {
  return actor.kind === 'account' || (await settings.current()).triageCustomRules;
}

export function runsInBrowser(engine: DetectionEngine | null): boolean {
  return engine !== null && engine.isBuiltIn && engine.usesRulePacks;
}

/** The rules of a task, or only the shipped ones of them; throws as `rulesForTask` does. */
export function rulesInBrowser(ports: RulePorts, task: WorkflowTask, getsAll: boolean): Promise<ReadyRules> {
  return rulesForTask(ports, task, ({ name }) => getsAll || name === corePackName);
}

/** Whether any of the tasks has rules beside those that ship. */
export async function usesOtherRules(
  { rulePacks }: Pick<Ports, 'rulePacks'>,
  tasks: readonly Pick<WorkflowTask, 'packs'>[],
): Promise<boolean> {
  const others = (await rulePacks.list()).filter(({ pack }) => pack.enabled && pack.name !== corePackName);
  return tasks.some(({ packs }) => others.some(({ pack }) => packs?.includes(pack.name) ?? true));
}

/** Of all sets of rules that a visitor's browser may have. */
export async function shippedDigests(ports: TriagePorts): Promise<ReadonlySet<string>> {
  const workflows = await ports.workflows.list();
  const engines = await ports.engines.current();
  const tasks = (await Promise.all(workflows.map(({ id }) => ports.workflows.tasks(id)))).flat();
  const digests = new Set<string>();
  // One by one: what is not there yet is compiled for the first of them, and not by each.
  for (const task of tasks.filter((one) => runsInBrowser(engines.get(one)))) {
    try {
      digests.add((await rulesInBrowser(ports, task, false)).digest);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
    }
  }
  return digests;
}
