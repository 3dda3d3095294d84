import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { signedIn } from '../auth/signed-in.ts';
import type { Ports } from '../ports/ports.ts';

type AlertPorts = Pick<Ports, 'clock' | 'entityAlerts' | 'jobAlerts'>;
type Unread = OutputOf<typeof operations.acknowledgeAlerts>;

/** Acknowledges an alert on an entity; throws `not_found` when it is another's, but for administrators. */
export function acknowledgeAlert(
  ports: AlertPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.acknowledgeAlert>,
): Promise<Unread> {
  return acknowledge(ports, actor, 'entityAlerts', id);
}

/** The same of an alert on a job. */
export function acknowledgeJobAlert(
  ports: AlertPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.acknowledgeJobAlert>,
): Promise<Unread> {
  return acknowledge(ports, actor, 'jobAlerts', id);
}

/** Acknowledges all alerts of the actor, of both kinds. */
export async function acknowledgeAlerts(ports: AlertPorts, actor: Actor): Promise<Unread> {
  const { userId } = signedIn(actor);
  const at = ports.clock.now();
  for (const alerts of [ports.entityAlerts, ports.jobAlerts]) await alerts.acknowledge(userId, null, at);
  return left(ports, actor);
}

async function acknowledge(
  ports: AlertPorts,
  actor: Actor,
  kind: 'entityAlerts' | 'jobAlerts',
  id: number,
): Promise<Unread> {
  if (!(await ports[kind].acknowledgeOne(actor, id, ports.clock.now()))) throw notFound('alert');
  return left(ports, actor);
}

async function left({ entityAlerts, jobAlerts }: AlertPorts, actor: Actor): Promise<Unread> {
  return { unread: (await entityAlerts.unread(actor)) + (await jobAlerts.unread(actor)) };
}
