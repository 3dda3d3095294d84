import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { afterAll, expect, it } from 'vitest';
import { bodyOf, httpEvent } from '../../../test/support/http-events.ts';

const test = await openTestPorts();
let fails = false;
usePorts({
  ...test.ports,
  objects: {
    ...test.ports.objects,
    check: () => (fails ? Promise.reject(new Error('read-only')) : test.ports.objects.check()),
  },
});
const { handler } = await import('./index.ts');

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
  const ill = await handler(httpEvent('GET', '/health'));
  expect(ill.statusCode).toBe(503);
  expect(bodyOf(ill)).toMatchObject({ status: 'error', storage: 'error', database: 'ok' });
});
