import { EmbeddedDatabase } from '@svc/adapters/postgres/database.ts';
import { postgresPorts } from '@svc/adapters/postgres/ports.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openServerDatabase, type TestDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { requesting } from '@svc/application/admin/tasks/change-background-task.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { sql } from 'drizzle-orm';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { contentOf, fillDerived, leftBy, readerOf, sizeOf, wipe, type MeasuredKind } from './backfills-data.ts';

const now = new Date('2026-08-01T00:00:00Z');

/** In a folder, or of a server. */
export async function openAt(place: string): Promise<TestDatabase> {
  if (place.startsWith('postgres')) return openServerDatabase(place);
  const embedded = new EmbeddedDatabase(place);
  await embedded.open();
  return embedded;
}

export async function portsOf(database: TestDatabase): Promise<{ ports: Ports; close: () => Promise<void> }> {
  const test = await openTestPorts({ database });
  const { ports } = test;
  const objects = overriding(ports.objects, {
    exists: async () => true,
    open: async (key) => readerOf(contentOf(key)),
    delete: async () => undefined,
  });
  return { ports: { ...ports, objects }, close: () => test.close() };
}

/** A database in a folder or of a server, and the program that does the work. */
export interface Place {
  readonly program: string;
  readonly place: string;
}

/** Fills an empty one. */
export async function fill({ place }: Pick<Place, 'place'>, jobs: number): Promise<void> {
  await using(place, async (database) => {
    const { ports, close } = await portsOf(database);
    await ports.workflows.seed((await ports.shipped.workflows()).workflows);
    await ports.shippedRules.seed(await ports.shipped.alertRules(), now);
    await fillDerived(database.orm, jobs, now);
    await close();
  });
}

export interface Run {
  readonly seconds: number;
  /** Processor time of it and the database. */
  readonly cpu: number;
  /** Batches of jobs or entities, or files. */
  readonly steps: number;
}

/** Does what is queued in a process of its own; null when that was killed after so many steps. */
export async function worked({ program, place }: Place, killAfter = Number.POSITIVE_INFINITY): Promise<Run | null> {
  const child = spawn(process.execPath, [program, place], { stdio: ['ignore', 'pipe', 'inherit'] });
  let steps = 0;
  let said: Omit<Run, 'steps'> | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'step') said = JSON.parse(line) as Omit<Run, 'steps'>;
    else if ((steps += 1) === killAfter) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.signalCode === 'SIGKILL' && steps >= killAfter) return null;
  if (said === null) throw new Error('the process that does the work ended before it was done');
  return { ...said, steps };
}

async function using<T>(place: string, use: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await openAt(place);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Whether anything was ever stored in it. */
export function isStored({ place }: Pick<Place, 'place'>): Promise<boolean> {
  return using(place, async (database) => (await sizeOf(database.orm, 'backfill_entity_attributes')) > 0);
}

/** Asks for one over all that is undone again; one that a run before has left is not gone on with. */
export function prepare({ place }: Pick<Place, 'place'>, kind: MeasuredKind): Promise<number> {
  return using(place, async (database) => {
    await wipe(database.orm, kind);
    await database.orm.execute(sql`truncate background_tasks, queued_tasks`);
    await database.orm.execute(sql`vacuum analyze`);
    const { ports, close } = await portsOf(database);
    await requesting(kind)(ports, { kind: 'anonymous', ip: '' });
    await close();
    return sizeOf(database.orm, kind);
  });
}

/** What is left, and how the last task of its kind ended. */
export function outcome({ place }: Pick<Place, 'place'>, kind: MeasuredKind): Promise<string> {
  return using(place, async (database) => {
    const [last] = await postgresPorts(database, { leaseSeconds: 60 }).backgroundTasks.ended(1);
    return `${last?.kind} ${last?.status}: ${await leftBy(database.orm, kind)}`;
  });
}

/**
 * What one leaves whose process is left alone, and what one leaves that is killed on its way.
 * @param stepsOf - steps after which each process is killed, of those that an undisturbed one makes
 */
export async function compare(
  at: Place,
  kind: MeasuredKind,
  stepsOf: (whole: number) => readonly number[],
): Promise<{ readonly size: number; readonly whole: Run; readonly expected: string; readonly found: string }> {
  const size = await prepare(at, kind);
  const whole = (await worked(at))!;
  const expected = await outcome(at, kind);
  await prepare(at, kind);
  for (const steps of stepsOf(whole.steps)) {
    if ((await worked(at, steps)) !== null) throw new Error(`${kind} was done before it was killed`);
  }
  await worked(at);
  return { size, whole, expected, found: await outcome(at, kind) };
}
