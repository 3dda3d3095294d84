import type { OneTimeTask } from '../ports/one-time-tasks.ts';
import type { Ports } from '../ports/ports.ts';

/**
 * Begins the task of a request, or looks after it: null while it is not over. To be asked again and again, by whoever
 * may be asked for the same once more, or may have gone away and left another request's task running: those wait for
 * their turn.
 */
export async function runOneTimeTask(
  { oneTimeTasks }: Pick<Ports, 'oneTimeTasks'>,
  { request, program }: { readonly request: string; readonly program: string },
): Promise<OneTimeTask | null> {
  const tasks = await oneTimeTasks.list();
  const own = tasks.find((task) => task.request === request);
  if (own) return own.state === 'runs' ? null : own;
  if (!tasks.some(({ state }) => state === 'runs')) await oneTimeTasks.begin(request, program);
  return null;
}
