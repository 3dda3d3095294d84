import type { InputOf, operations, OutputOf } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { visibleJob } from '../jobs/visible-job.ts';
import type { Ports } from '../ports/ports.ts';
import { toSeen } from './get-seen-before.ts';

/** What is known of values that a report shows, many at once. */
export async function lookUpEntities(
  ports: Pick<Ports, 'jobViews' | 'seenBefore'>,
  actor: Actor,
  { id, entities }: InputOf<typeof operations.lookUpEntities>,
): Promise<OutputOf<typeof operations.lookUpEntities>> {
  const job = await visibleJob(ports, actor, id);
  const values = entities.map(({ entity_type: type, value }) => ({ type, value }));
  const found = await ports.seenBefore.known(actor, job, values);
  return { items: found.flatMap((one, place) => (one === null ? [] : [{ ...toSeen(one), place }])) };
}
