import { counted } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { BackgroundTask } from './background-task-repository.ts';
import { removeSomeOutputs, type AgePorts } from './remove-by-age.ts';

/** Removes raw outputs whose time is over, until there are no more or it is cancelled; the sentence that it ends with. */
export async function cleanUpOutputs(
  ports: AgePorts & Pick<Ports, 'backgroundTasks'>,
  { id, cursor }: BackgroundTask,
): Promise<string> {
  const { backgroundTasks, clock } = ports;
  for (let removed = cursor ?? 0; ;) {
    const some = await removeSomeOutputs(ports);
    removed += some;
    const detail = `removed ${counted(removed, 'raw output')}`;
    if (some === 0) return removed === 0 ? 'there was nothing to remove' : detail;
    if (!(await backgroundTasks.progress(id, { cursor: removed, detail }, clock.now()))) return detail;
  }
}
