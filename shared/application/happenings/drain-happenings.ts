import type { Happening } from '@svc/contracts/happenings.ts';
import type { Consumer } from './consumers.ts';
import type { DeliveryLimits } from './happening-repository.ts';
import type { Ports } from '../ports/ports.ts';
import { handlers, type HappeningHandler } from './handlers.ts';

export type DrainPorts = Pick<Ports, 'log' | 'transaction'>;

/** Small enough that others who write are not kept waiting for long. */
const atOnce: DeliveryLimits = { subjects: 20, happenings: 50 };
/** Rules take as long as what a job names is long. */
const oneByOne: ReadonlySet<string> = new Set<Consumer>(['alert_rules']);

/**
 * Delivers what waits for each consumer, in order for each subject, until nothing is left that is due; any number may
 * drain at once. Each batch is one transaction, in which the effects and the end of the delivery commit together. One
 * whose handler throws waits, with what follows of its subject, and keeps no other from its turn. Returns how many were
 * delivered. Throws `unavailable`.
 */
export async function drainHappenings(
  ports: DrainPorts,
  table: Readonly<Record<string, HappeningHandler>> = handlers,
): Promise<number> {
  let delivered = 0;
  for (const [consumer, handle] of Object.entries(table)) {
    for (;;) {
      const batch = await deliver(ports, consumer, handle);
      if (batch === 0) break;
      if (batch !== 'failed') delivered += batch;
    }
  }
  return delivered;
}

async function deliver(ports: DrainPorts, consumer: string, handle: HappeningHandler): Promise<number | 'failed'> {
  let current: Happening | null = null;
  try {
    return await ports.transaction(async (tx) => {
      const taken = await tx.happenings.take(consumer, oneByOne.has(consumer) ? { ...atOnce, subjects: 1 } : atOnce);
      if (taken.length === 0) return 0;
      for (const happening of taken) {
        current = happening;
        await handle(tx, happening, ports);
      }
      current = null;
      await tx.happenings.settle(
        consumer,
        taken.map(({ id }) => id),
      );
      return taken.length;
    });
  } catch (error) {
    const failed = current as Happening | null;
    if (failed === null) throw error;
    ports.log.error('a happening could not be delivered', {
      consumer,
      happening_id: failed.id,
      kind: failed.kind,
      error,
    });
    await ports.transaction((tx) => tx.happenings.postpone(consumer, failed.id));
    return 'failed';
  }
}
