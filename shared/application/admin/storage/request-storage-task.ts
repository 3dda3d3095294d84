import type { operations, OutputOf } from '@svc/contracts';
import { AppError, type Actor } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { requesting } from '../tasks/change-background-task.ts';

type RequestPorts = Pick<Ports, 'backgroundTasks' | 'clock' | 'tasks'>;
type Begun = OutputOf<typeof operations.purgeOrphans>;

/** Has the embedded database written anew; a server has an administrator of its own for that. */
export async function vacuumDatabase(ports: RequestPorts & Pick<Ports, 'deployment'>, actor: Actor): Promise<Begun> {
  if (!ports.deployment.embedded) {
    throw new AppError('bad_request', 'Only the embedded database is vacuumed here: a server does that by itself');
  }
  return requesting('vacuum_database')(ports, actor);
}
