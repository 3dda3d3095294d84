import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { periodicKinds } from '@svc/contracts/tasks.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { currentLogFields, type LogFields } from '../ports/log.ts';
import { runPeriodicTask } from './run-periodic-task.ts';

let test: TestPorts;
const lines: LogFields[] = [];
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
afterAll(() => test.close());

const noting = (level: string) => (message: string, fields?: LogFields) =>
  void lines.push({ level, message, ...currentLogFields(), ...fields });
const log = { ...silentLog, info: noting('info'), error: noting('error') };

it.each(periodicKinds)('runs %s on an empty installation', async (key) => {
  lines.length = 0;
  await runPeriodicTask({ ...test.ports, log }, key);
  const done = { outcome: 'completed', changed: 0, duration_ms: expect.any(Number) };
  expect(lines).toEqual([{ level: 'info', message: 'periodic task', task: key, ...done }]);
  const noted = { kind: key, outcome: 'completed', detail: 'nothing to do' };
  expect(await test.ports.periodicRuns.latest()).toContainEqual(expect.objectContaining(noted));
});

it('logs what failed, and rejects', async () => {
  lines.length = 0;
  const reason = new Error('no database');
  const uploads = overriding(test.ports.uploads, { retireExpired: () => Promise.reject(reason) });
  await expect(runPeriodicTask({ ...test.ports, log, uploads }, 'expired-uploads')).rejects.toBe(reason);
  expect(lines).toMatchObject([{ level: 'error', task: 'expired-uploads', outcome: 'failed', error: reason }]);
  const noted = { kind: 'expired-uploads', outcome: 'failed', detail: 'no database' };
  expect(await test.ports.periodicRuns.latest()).toContainEqual(expect.objectContaining(noted));
});
