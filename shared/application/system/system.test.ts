import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError, type Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { getHealth } from './get-health.ts';
import { getOpenApi } from './get-open-api.ts';
import { prepareService } from './prepare-service.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

const fails = (): never => {
  throw new Error('nobody was to say this');
};
const down = async (): Promise<never> => Promise.reject(new Error('down'));

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

it('is well', async () => {
  expect(await getHealth(ports, visitor)).toEqual({
    status: 'ok',
    database: 'ok',
    kv: 'ok',
    storage: 'ok',
    migrations: 'at_head',
    version: '0.0.0-test',
  });
});

it('names what is not well', async () => {
  const database = overriding(ports.database, { check: down, migrations: down });
  expect(await getHealth({ ...ports, database }, visitor)).toMatchObject({
    status: 'error',
    database: 'error',
    storage: 'ok',
    migrations: 'error',
  });
  const objects = overriding(ports.objects, { check: down });
  expect(await getHealth({ ...ports, objects }, visitor)).toMatchObject({ status: 'error', storage: 'error' });
  const keyValue = overriding(ports.keyValue, { check: down });
  expect(await getHealth({ ...ports, keyValue }, visitor)).toMatchObject({
    status: 'error',
    kv: 'error',
    database: 'ok',
  });
  const behind = overriding(ports.database, { migrations: async () => 'pending' });
  expect(await getHealth({ ...ports, database: behind }, visitor)).toMatchObject({
    status: 'error',
    database: 'ok',
    migrations: 'pending',
  });
});

it('says when results wait for space, and is well all the same', async () => {
  const objects = overriding(ports.objects, { hasRoom: async () => false });
  expect(await getHealth({ ...ports, objects }, visitor)).toMatchObject({ status: 'ok', space: 'low' });
});

it('says in a line, without a stack, that the database cannot be reached', async () => {
  const lines: [string, unknown][] = [];
  const log = {
    ...ports.log,
    warn: (...line: [string, unknown?]) => void lines.push([line[0], line[1]]),
    error: fails,
  };
  const away = async (): Promise<never> => Promise.reject(new AppError('unavailable', 'not open yet'));
  const database = { ...ports.database, check: away, migrations: away };
  expect(await getHealth({ ...ports, database, log }, visitor)).toMatchObject({
    database: 'error',
    migrations: 'error',
  });
  expect(lines).toEqual([['health: database', { error: 'not open yet' }]]);
});

it('prepares an empty service, and the same one again without a second login', async () => {
  expect(await prepareService(ports)).toMatchObject({ email: 'admin@localhost' });
  expect(await prepareService(ports)).toBeNull();
  expect(await ports.workflows.list()).toHaveLength(8);
});

it('describes itself to those who develop against it', async () => {
  await expect(getOpenApi(ports)).rejects.toMatchObject({ code: 'not_found' });
  const deployment = { ...ports.deployment, debug: true };
  expect(await getOpenApi({ deployment })).toMatchObject({ openapi: '3.1.0', info: { version: '0.0.0-test' } });
});
