import { usePorts } from '@svc/adapters/compose.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, expect, it } from 'vitest';
import { bodyOf, httpEvent } from '../../test/support/http-events.ts';

const test = await openTestPorts();
let fails = false;
let checks = 0;
usePorts({
  ...test.ports,
  objects: overriding(test.ports.objects, {
    check: () => {
      checks += 1;
      return fails ? Promise.reject(new Error('read-only')) : test.ports.objects.check();
    },
  }),
});
const { handler } = await import('./system.ts');

afterAll(() => test.close());

it('answers 200 when everything works and 503 naming what does not', async () => {
  const well = await handler(httpEvent('GET', '/health'));
  expect(well.statusCode).toBe(200);
  expect(bodyOf(well)).toEqual({
    status: 'ok',
    database: 'ok',
    kv: 'ok',
    storage: 'ok',
    migrations: 'at_head',
    version: '0.0.0-test',
  });
  fails = true;
  const others = await Promise.all(Array.from({ length: 20 }, () => handler(httpEvent('GET', '/health'))));
  expect([checks, others.every(({ statusCode }) => statusCode === 200)]).toEqual([1, true]);
  test.advance(2);
  const ill = await handler(httpEvent('GET', '/health'));
  expect(ill.statusCode).toBe(503);
  expect(bodyOf(ill)).toMatchObject({ status: 'error', storage: 'error', database: 'ok' });
});
