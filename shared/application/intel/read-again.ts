import { AppError } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { rulesForTask, type RulePorts } from '../rules/rules-for-task.ts';
import { taskIntelOf } from './task-intel.ts';

export type ReadAgainPorts = RulePorts &
  Pick<Ports, 'derivations' | 'engines' | 'findings' | 'intel' | 'jobs' | 'jobViews' | 'objects' | 'workflows'>;

/**
 * Reads the log of a job again for what versions before this one did not keep: how what it names is related, and which
 * findings name it, and what is in it. Its findings stay what they are, and rules that have come since add none. False where the log is
 * gone, or no task of the job can be done again here.
 */
export async function readAgain(ports: ReadAgainPorts, jobId: number, stop: AbortSignal): Promise<boolean> {
  const record = await ports.jobs.get(jobId);
  if (record === null) return false;
  const { job, file } = record;
  const engines = await ports.engines.current();
  const ended = (await ports.jobViews.tasks(jobId)).filter(({ status }) => status === 'completed');
  const planned = (await ports.workflows.tasks(job.workflowId)).flatMap((task) => {
    const engine = engines.get(task);
    const before = ended.find((one) => one.engine === task.tool);
    // Others derive nothing.
    return engine?.isBuiltIn && before ? [{ task, engine, id: before.id }] : [];
  })[0];
  if (planned === undefined) return false;
  const { task, engine, id } = planned;
  const rules = engine.usesRulePacks ? await rulesForTask(ports, task) : null;
  const copy = await ports.objects.localCopy(file.storageKey, stop).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'upload_missing') return null;
    throw error;
  });
  if (copy === null) return false;
  try {
    const log = { path: copy.path, sizeBytes: file.sizeBytes, logType: job.logType };
    const input = { ...log, rules, task, maxFindingDetails: 1, maxRawBytes: 0 };
    const { derived, findings } = await engine.run(input, { signal: stop, onProgress: () => undefined });
    if (derived === null) return false;
    const stored = new Map((await ports.findings.ofTask(id)).map((one) => [`${one.ruleId} ${one.ruleName}`, one.id]));
    const ids = findings.map(({ ruleId, ruleName }) => stored.get(`${ruleId} ${ruleName}`));
    await ports.intel.keepDerived(id, taskIntelOf(derived.intel, ids));
    // The rules that ran now are not those that the report is of.
    if (derived.census) await ports.derivations.keepCensus(id, { ...derived.census, rules: null });
    return true;
  } finally {
    await copy.release();
  }
}
