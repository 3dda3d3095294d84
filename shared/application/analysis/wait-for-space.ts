import { setTimeout as sleep } from 'node:timers/promises';
import type { Ports } from '../ports/ports.ts';

const lookMs = 10_000;

/**
 * Resolves when the store has room again, so that results are written neither to a disk that is full nor lost: a
 * database that shares it would stop (service 8.2). Says once that it waits. Rejects with the reason of `stop`.
 */
export async function waitForSpace(
  { log, objects }: Pick<Ports, 'log' | 'objects'>,
  stop: AbortSignal,
  everyMs = lookMs,
): Promise<void> {
  if (await objects.hasRoom()) return;
  log.warn('results wait until less of the disk is used', {});
  do {
    await sleep(everyMs, undefined, { signal: stop }).catch(() => stop.throwIfAborted());
  } while (!(await objects.hasRoom()));
  log.info('results wait no longer', {});
}
