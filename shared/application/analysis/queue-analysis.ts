import type { Lane } from '../ports/task-queue.ts';
import type { JobRecord } from '../ports/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { chooseLane } from './choose-lane.ts';

export type QueuePorts = Pick<Ports, 'deployment' | 'engines' | 'launcher' | 'log' | 'tasks' | 'workflows'>;

/** Queues a job's analysis in its lane; false when it waits or is worked on already. */
export async function queueAnalysis(ports: QueuePorts, record: JobRecord): Promise<boolean> {
  const lane = await ports.tasks.enqueue(record.job.id, await laneOf(ports, record));
  if (lane === 'heavy') await wakeWorkers(ports);
  return lane !== null;
}

async function laneOf({ deployment, engines, workflows }: QueuePorts, { job, file }: JobRecord): Promise<Lane> {
  if (deployment.lanes === null) return 'fast';
  const tasks = await workflows.tasks(job.workflowId);
  const { logType } = job;
  return chooseLane({ tasks, logType, sizeBytes: file.sizeBytes }, engines, deployment.lanes.fastMaxBytes);
}

/** Has workers for the heavy lane started; when that fails, the dispatcher finds the task within a minute. */
export async function wakeWorkers({ launcher, log }: Pick<Ports, 'launcher' | 'log'>): Promise<void> {
  await launcher.wake().catch((error: unknown) => log.warn('the dispatcher of workers was not woken', { error }));
}
