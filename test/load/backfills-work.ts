// Does what is queued in a database until nothing is, and says after each step that one is done, so that whoever has
// started it can end it there.   FOLDER|URL
import { overriding } from '@svc/adapters/testing/overriding.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { handleTask } from '@svc/application/work/handle-task.ts';
import { hostname } from 'node:os';
import { openAt, portsOf } from './backfills-run.ts';
import { backendSeconds, ownSeconds } from './processor-seconds.ts';

const place = process.argv[2]!;
const database = await openAt(place);
const { ports, close } = await portsOf(database);
// What a process that was killed had, is nobody's.
await ports.ledger.dropLeases();
const cpuSeconds = async () => ownSeconds() + (place.startsWith('postgres') ? await backendSeconds(database) : 0);
const step = async <T>(doing: Promise<T>): Promise<T> => {
  const done = await doing;
  process.stdout.write('step\n');
  return done;
};
const watched: Ports = {
  ...ports,
  transaction: (work) => step(ports.transaction(work)),
  derivations: overriding(ports.derivations, { replace: (...args) => step(ports.derivations.replace(...args)) }),
  files: overriding(ports.files, { setDigest: (...args) => step(ports.files.setDigest(...args)) }),
  intel: overriding(ports.intel, { describeAfter: (...args) => step(ports.intel.describeAfter(...args)) }),
};
const [from, cpu] = [performance.now(), await cpuSeconds()];
for (;;) {
  const lease = await ports.tasks.receive({ worker: `${hostname()}:${process.pid}:0`, waitMs: 0, lanes: ['sweep'] });
  if (lease === null) break;
  await handleTask(watched, lease, { leave: new AbortController().signal });
}
process.stdout.write(
  `${JSON.stringify({ seconds: (performance.now() - from) / 1000, cpu: (await cpuSeconds()) - cpu })}\n`,
);
await close();
await database.close();
process.exit();
