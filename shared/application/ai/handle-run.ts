import { taskKinds } from '@svc/contracts/tasks.ts';
import type { Ports } from '../ports/ports.ts';
import type { LeaseOf } from '../ports/task-queue.ts';
import { holdLease, type LeaseEnd } from '../work/hold-lease.ts';
import { aiJournal } from './begin-run.ts';
import { promptPorts } from './prompt.ts';
import { runAiAnalysis } from './run-analysis.ts';

/** Ports of whoever asks models. */
export const aiRunPorts = [
  ...promptPorts,
  'accounts',
  'aiProviders',
  'aiRuns',
  'clock',
  'deployment',
  'log',
  'models',
  'secretBox',
  'settings',
  'tasks',
  'transaction',
] as const satisfies readonly (keyof Ports)[];
export type AiRunPorts = Pick<Ports, (typeof aiRunPorts)[number]>;
export type AskPorts = AiRunPorts & Pick<Ports, 'aiRunner'>;

/**
 * Asks a model, once: what goes wrong before is tried again, and what does afterwards ends the run.
 * @param manner - `leave` has the run end early, as failed
 */
export async function askModel(
  ports: AskPorts,
  lease: LeaseOf<'run_ai_analysis'>,
  { leave }: { readonly leave: AbortSignal },
): Promise<LeaseEnd> {
  const ending = new AbortController();
  const stop = AbortSignal.any([leave, ending.signal]);
  const { runId } = lease.task;
  try {
    if (!(await ports.aiRunner.handOver(runId))) {
      await holdLease(ports, lease, ending, () => runAiAnalysis(ports, aiJournal(ports), runId, stop));
    }
  } catch (error) {
    const { retryDelays } = taskKinds.run_ai_analysis;
    const delaySeconds = retryDelays[lease.attempt - 1];
    ports.log.error('an ai run could not be kept', { run_id: runId, error });
    if (delaySeconds !== undefined) {
      await ports.tasks.release(lease, { delaySeconds, countAttempt: true });
      return 'waits';
    }
  }
  await ports.tasks.acknowledge(lease);
  return 'finished';
}
