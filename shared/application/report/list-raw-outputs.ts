import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Ports } from '../ports/ports.ts';
import { knownJob } from '../jobs/visible-job.ts';

/** The tasks of a job with what is kept of their engines' output. */
export async function listRawOutputs(
  { backgroundTasks, jobs, jobViews, rawOutputs }: Pick<Ports, 'backgroundTasks' | 'jobs' | 'jobViews' | 'rawOutputs'>,
  { id }: InputOf<typeof operations.listRawOutputs>,
): Promise<OutputOf<typeof operations.listRawOutputs>> {
  await knownJob({ jobs }, id);
  const [tasks, outputs, last] = await Promise.all([
    jobViews.tasks(id),
    rawOutputs.ofJob(id),
    backgroundTasks.latest('recalculate_single_analytics', id),
  ]);
  return {
    recalculation: last && {
      task_id: last.id,
      status: last.status,
      detail: last.detail ?? last.errorMessage,
      asked_at: last.createdAt.toISOString(),
    },
    tasks: tasks.map((task) => ({
      id: task.id,
      tool: task.engine,
      status: task.status,
      outputs: outputs
        .filter(({ taskId }) => taskId === task.id)
        .map(({ name, sizeBytes, isComplete, createdAt }) => {
          return { name, size_bytes: sizeBytes, complete: isComplete, created_at: createdAt.toISOString() };
        }),
    })),
  };
}
