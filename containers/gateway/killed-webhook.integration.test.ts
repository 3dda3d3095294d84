import { accounts, webhookDeliveries } from '@svc/adapters/postgres/schema/index.ts';
import { addAlertRule } from '@svc/adapters/testing/add-alert-rule.ts';
import { makeServerDatabase, openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../test/support/programs.ts';
import { bundleService, Service } from './testing/killable-service.ts';

/** More steps than a delivery has. */
const manySteps = 40;

let root: string;
const received = new Map<string, number[]>();
const receiver = createServer(({ headers }, response) => {
  const id = String(headers['x-svc-delivery']);
  received.set(id, [...(received.get(id) ?? []), Number(headers['x-svc-attempt'])]);
  response.writeHead(204).end();
});

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-webhooks-'));
  await bundleService();
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.close();
  await rm(root, { recursive: true, force: true });
});

describeWith('postgres', 'a service on a PostgreSQL server', () => {
  it('delivers everything that was committed, under one id, whatever step a process is killed at', async () => {
    const state = { DATA_DIR: join(root, 'killed'), DATABASE_URL: await makeServerDatabase() };
    let service = await Service.start(state, { isResting: false });
    const { cookie } = service;
    const database = await openServerDatabase(state.DATABASE_URL);
    const [owner] = await database.orm.select({ id: accounts.id }).from(accounts);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const rule = await addAlertRule(database.orm, url, { ownerId: owner!.id });
    const known = async () => database.orm.select().from(webhookDeliveries);
    const isEnded = async (): Promise<boolean> => (await known()).every(({ state: now }) => now !== 'queued');
    /** Until all are ended, or the service is dead. */
    const settled = async (): Promise<boolean> => {
      while (service.child.signalCode === null) {
        if (await isEnded()) return true;
        await sleep(20);
      }
      return false;
    };
    for (let step = 1; ; step += 1) {
      expect(step, 'it goes on and on').toBeLessThan(manySteps);
      await service.dieAt(step);
      const before = (await known()).length;
      const answer = await service.send(`/intel/rules/${rule}/test`, { method: 'POST' }).catch(() => null);
      if (answer !== null) expect([step, answer.status]).toEqual([step, 202]);
      const isOver = answer !== null && (await settled()) && (await known()).length > before;
      // What follows the end of a delivery has its time to die.
      if (isOver) await sleep(500);
      const isAlive = service.child.signalCode === null;
      await service.stop();
      // As if the time had passed after which others take up what a process had begun.
      await database.orm.execute(`update webhook_deliveries set due_at = now() where state = 'queued'`);
      await database.orm.execute('delete from queued_tasks');
      service = await Service.start(state, { cookie, isResting: false });
      expect(await settled()).toBe(true);
      const all = await known();
      expect(all.map(({ state: now }) => now)).toEqual(all.map(() => 'delivered'));
      expect([...received.keys()].toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      if (isOver && isAlive) break;
    }
    await service.stop();
    await database.close();
    // No attempt goes out twice; where a process died in one, there was another.
    for (const attempts of received.values()) expect(new Set(attempts).size).toBe(attempts.length);
  }, 600_000);
});
