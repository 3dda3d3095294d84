// What writing the activity log costs those who submit: submissions of one process to a PostgreSQL server, alternately
// without and with rows written beside them.   [--rate N rows a second] [--rounds N] [--seconds N]
import { openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { addAdmin, openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { recordActivity } from '@svc/application/admin/activity/record-activity.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres-server.ts';
import { backendSeconds, ownSeconds } from './processor-seconds.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
  },
});
const [rate, rounds, seconds] = [Number(values.rate), Number(values.rounds), Number(values.seconds)];
const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Submissions under way; rows are written this often. */
const [submitters, tickMs] = [8, 10];

const server = await startPostgres(['-c', 'jit=off']);
const database = await openServerDatabase(server.url);
const test = await openTestPorts({ database });
const { ports } = test;
await ports.workflows.seed((await ports.shipped.workflows()).workflows);
const actor = await addAdmin(ports);
const policy = { activityLogEnabled: true, activityCategories: null };
let sent = 0;

interface Round {
  readonly submitted: number;
  readonly cpu: number;
  readonly written: number;
}

async function cpu(): Promise<number> {
  return ownSeconds() + (await backendSeconds(database));
}

async function round({ submits, writes }: { submits: boolean; writes: boolean }): Promise<Round> {
  const [from, until] = [await cpu(), performance.now() + seconds * 1000];
  const isOn = (): boolean => performance.now() < until;
  let [submitted, written] = [0, 0];
  const submitting = Array.from({ length: submits ? submitters : 0 }, async () => {
    for (; isOn(); submitted += 1) await submitLog(ports, actor, { content: `ElfFile\0${(sent += 1)}` });
  });
  const writing = async (): Promise<void> => {
    const begun = performance.now();
    const under: Promise<void>[] = [];
    for (; isOn(); await sleep(tickMs)) {
      const due = Math.floor(((performance.now() - begun) / 1000) * rate);
      for (; written < due; written += 1) {
        const deed = { action: 'job.watch', target: ['job', written], summary: 'Watches a job' } as const;
        under.push(recordActivity(ports, { actor, requestId: String(written) }, policy, deed));
      }
    }
    await Promise.all(under);
  };
  await Promise.all([...submitting, ...(writes ? [writing()] : [])]);
  return { submitted, cpu: (await cpu()) - from, written };
}

const per = (value: number, of: number): string => (of === 0 ? '–' : ((value * 1000) / of).toFixed(2));
const sums = { plain: { submitted: 0, cpu: 0 }, beside: { submitted: 0, cpu: 0 }, alone: { cpu: 0, written: 0 } };
await round({ submits: true, writes: true });
for (let number = 1; number <= rounds; number += 1) {
  const plain = await round({ submits: true, writes: false });
  const beside = await round({ submits: true, writes: true });
  const alone = await round({ submits: false, writes: true });
  sums.plain.submitted += plain.submitted;
  sums.plain.cpu += plain.cpu;
  sums.beside.submitted += beside.submitted;
  sums.beside.cpu += beside.cpu;
  sums.alone.cpu += alone.cpu;
  sums.alone.written += alone.written;
  const [a, b] = [plain, beside].map((one) => (one.submitted / seconds).toFixed(0));
  print(`round ${number}: ${a} submissions/s, ${b} with ${(beside.written / seconds).toFixed(0)} rows/s beside them`);
}
const ratio = sums.beside.submitted / sums.plain.submitted;
print(
  `submissions: ${per(sums.plain.cpu, sums.plain.submitted)} ms of processor each; rows: ${per(sums.alone.cpu, sums.alone.written)} ms each`,
);
print(
  `with ${rate} rows/s ${(ratio * 100).toFixed(1)} % of the submissions without (at least 95: ${ratio >= 0.95 ? '✓' : '✗'})`,
);
await test.close();
await database.close();
await server.remove();
process.exit(0);
