import { analysisOf } from '@svc/contracts/tasks.ts';
import type { Lane } from '../ports/task-queue.ts';
import type { JobRecord } from '../jobs/job-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { chooseLane } from './choose-lane.ts';
import { submitterKey } from './submitter.ts';

export type QueuePorts = Pick<Ports, 'deployment' | 'engines' | 'jobs' | 'launcher' | 'log' | 'tasks' | 'workflows'>;

/** Queues a job's analysis in its lane; false when it waits or is worked on already. */
export async function queueAnalysis(ports: QueuePorts, record: JobRecord): Promise<boolean> {
  const { id, submittedBy } = record.job;
  const submitter = submitterKey(submittedBy, (await ports.jobs.addressOf(id)) ?? '');
  const lane = await ports.tasks.enqueue(analysisOf(id), { lane: await laneOf(ports, record), submitter });
  if (lane === 'heavy') await wakeWorkers(ports);
  return lane !== null;
}

async function laneOf({ deployment, engines, workflows }: QueuePorts, { job, file }: JobRecord): Promise<Lane> {
  const [tasks, enabled] = await Promise.all([workflows.tasks(job.workflowId), engines.current()]);
  const { logType } = job;
  return chooseLane({ tasks, logType, sizeBytes: file.sizeBytes }, enabled, deployment.fastMaxBytes);
}

/** Has workers for the heavy lane started; when that fails, the dispatcher finds the task within a minute. */
export async function wakeWorkers({ launcher, log }: Pick<Ports, 'launcher' | 'log'>): Promise<void> {
  await launcher.wake().catch((error: unknown) => log.warn('the dispatcher of workers was not woken', { error }));
}
