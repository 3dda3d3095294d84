import { overriding } from '@svc/adapters/testing/overriding.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { type Actor, sigmaHq } from '@svc/domain';
import { tarOf } from '@svc/engine/testing';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Log } from '../ports/log.ts';
import { forgetRelease, getOfferedPack } from './get-offered-pack.ts';
import { OutboundError, type OutboundResponse } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import { changeRulePack } from './change-rule-pack.ts';
import { deleteRulePack } from './delete-rule-pack.ts';
import { getRulePack } from './get-rule-pack.ts';
import { importRulePack } from './import-rule-pack.ts';
import { listRulePacks } from './list-rule-packs.ts';
import { overrideRule } from './override-rule.ts';
import { refreshRulePacks } from './refresh-rule-packs.ts';
import { takeCorePack, warnOfRulePacks } from './take-core-pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-refresh-'));
const url = 'https://rules.example.org/team.tgz';
// Who may do this is decided before.
const admin: Actor = { kind: 'anonymous', ip: '' };
let test: TestPorts;
let ports: Ports;
let asked: string[];
let answer: (url: string) => Partial<OutboundResponse> | Error;
let warned: unknown[];
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  asked = [];
  warned = [];
  answer = () => pack(1);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const idOf = (last: number): string => `2f3c1a10-0000-4000-8000-00000000000${last}`;
const rule = (
  last: number,
): string => `title: R${last}\nid: ${idOf(last)}\ndate: 2026-08-0${last}\nlogsource: { product: windows }
detection: { s: { EventID: ${last} }, condition: s }\n`;

function pack(last: number, date?: string): Partial<OutboundResponse> {
  const text = date === undefined ? rule(last) : rule(last).replace(/2026-\S+/, date);
  const bytes = gzipSync(tarOf([{ name: 'a.yml', bytes: Buffer.from(text) }]));
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  return { body: body() };
}

function portsWith(sources: [string, string][] = [], refreshHours = 24): Ports {
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const outbound = overriding(ports.outbound, {
    send: async (request, use) => {
      asked.push(request.url);
      const given = answer(request.url);
      if (given instanceof Error) throw given;
      return use({ status: 200, location: null, etag: null, retryAfter: null, body: nothing(), ...given });
    },
  });
  const log: Log = overriding(ports.log, { warn: (message, fields) => void warned.push([message, fields]) });
  return { ...ports, log, outbound, deployment: { ...ports.deployment, rulePacks: { sources, refreshHours } } };
}

const dates = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await ports.rulePacks.list()).map((one) => [one.pack.name, one.pack.inForce.datedAt]));

it('takes named packs: files each time, addresses when they are not here', async () => {
  const file = join(folder, 'own.tgz');
  await writeFile(file, gzipSync(tarOf([{ name: 'a.yml', bytes: Buffer.from(rule(1)) }])));
  const named = portsWith([
    ['own', file],
    ['team', url],
  ]);
  await refreshRulePacks(named);
  expect(await dates()).toEqual({ own: '2026-08-01', team: '2026-08-01' });
  await writeFile(file, gzipSync(tarOf([{ name: 'a.yml', bytes: Buffer.from(rule(2)) }])));
  expect(await refreshRulePacks(named)).toBe(1);
  expect(await dates()).toMatchObject({ own: '2026-08-02' });
  expect(await refreshRulePacks(named)).toBe(0);
  expect(asked).toEqual([url]);
});

it('looks for newer versions where packs came from, once a day', async () => {
  await importRulePack(portsWith(), admin, { url, name: 'team' });
  answer = () => pack(2);
  await refreshRulePacks(portsWith());
  expect(await dates()).toEqual({ team: '2026-08-01' });
  test.advance(86_401);
  await refreshRulePacks(portsWith([], 0));
  expect(asked).toHaveLength(1);
  await refreshRulePacks(portsWith());
  expect(await dates()).toEqual({ team: '2026-08-02' });
  await refreshRulePacks(portsWith());
  expect(asked).toHaveLength(2);
});

it('offers the newest release of SigmaHQ by name where none of its rules are here', async () => {
  const offer = async (ofPorts: Ports) => (await getOfferedPack(ofPorts)).offer;
  const latest = 'https://github.com/SigmaHQ/sigma/releases';
  const sigma = { name: 'sigmahq', licence: 'Detection Rule License (DRL) 1.1', url: sigmaHq.archive };
  forgetRelease();
  answer = () => ({ status: 302, location: `${latest}/tag/r2026-08-05` });
  expect(await offer(portsWith())).toEqual({ ...sigma, release: 'r2026-08-05', reason: null });
  await offer(portsWith());
  expect(asked).toEqual([`${latest}/latest`]);
  test.advance(601);
  answer = () => new OutboundError('unresolved', 'github.com: no such host');
  expect(await offer(portsWith())).toEqual({ ...sigma, release: null, reason: 'github.com: no such host' });
  test.advance(601);
  answer = () => ({ status: 302, location: 'https://github.com/login' });
  expect(await offer(portsWith())).toMatchObject({ release: null, reason: 'its host answered with something else' });
  test.advance(601);
  expect(await offer(portsWith([], 0))).toMatchObject({ release: null, reason: 'packs are not to be looked for' });
  expect(asked).toHaveLength(3);
  // What is offered is imported by its address, and is then looked for there.
  answer = () => pack(1);
  await importRulePack(portsWith(), admin, { url: sigmaHq.archive, name: 'sigmahq' });
  expect(await offer(portsWith())).toBeNull();
  expect((await ports.rulePacks.list())[0]?.pack.url).toBe(sigmaHq.archive);
});

it('does not take by itself what an administrator has gone back from', async () => {
  const file = join(folder, 'left.tgz');
  const give = (last: number) => writeFile(file, gzipSync(tarOf([{ name: 'a.yml', bytes: Buffer.from(rule(last)) }])));
  const named = portsWith([['own', file]]);
  for (const last of [1, 2]) {
    await give(last);
    await refreshRulePacks(named);
  }
  const [, first] = (await getRulePack(ports, admin, { name: 'own' })).versions;
  await changeRulePack(ports, admin, { name: 'own', version_id: first!.id });
  expect(await refreshRulePacks(named)).toBe(0);
  expect(await dates()).toEqual({ own: '2026-08-01' });
  await give(3);
  await refreshRulePacks(named);
  expect(await dates()).toEqual({ own: '2026-08-03' });
  // An older content that is published again is the newest version.
  await give(1);
  await refreshRulePacks(named);
  expect(await dates()).toEqual({ own: '2026-08-01' });
});

it('keeps the version that it has, and says why, when a newer one cannot be had', async () => {
  await importRulePack(portsWith(), admin, { url, name: 'team' });
  test.advance(86_401);
  answer = () => new OutboundError('timeout', 'rules.example.org did not answer within 60 s');
  await refreshRulePacks(portsWith());
  const { packs } = await listRulePacks(ports);
  expect(packs).toMatchObject([
    { name: 'team', check_error: expect.stringContaining('did not answer'), in_force: { dated_at: '2026-08-01' } },
  ]);
  await refreshRulePacks(portsWith());
  expect(asked).toHaveLength(2);
  test.advance(86_401);
  answer = () => pack(1);
  await refreshRulePacks(portsWith());
  expect((await listRulePacks(ports)).packs[0]).toMatchObject({ check_error: null });
});

it.each([
  ['an error', () => ({ status: 500 }), 'answered with status 500'],
  ['no pack', () => ({}), 'neither a zip'],
  ['plain http', () => ({ status: 302, location: 'http://rules.example.org/' }), 'not https'],
  ['itself', () => ({ status: 302, location: url }), 'without end'],
])('refuses an address that leads to %s', async (_, given, why) => {
  answer = given;
  const importing = importRulePack(portsWith(), admin, { url });
  await expect(importing).rejects.toMatchObject({ code: 'pack_refused', message: expect.stringContaining(why) });
  expect(await dates()).toEqual({});
});

it('warns of named packs that are not here, and says no more once they are', async () => {
  const named = portsWith([['team', url]]);
  answer = () => new OutboundError('timeout', 'rules.example.org did not answer within 60 s');
  await refreshRulePacks(named);
  const missing = expect.objectContaining({
    level: 'WARN',
    message: expect.stringContaining('“team”, which is not here'),
  });
  expect((await listRulePacks(named)).readiness).toContainEqual(missing);
  answer = () => pack(1);
  await refreshRulePacks(named);
  expect((await listRulePacks(named)).readiness).not.toContainEqual(missing);
});

it('warns of packs that are old', async () => {
  answer = () => pack(1, new Date().toISOString().slice(0, 10));
  await importRulePack(portsWith(), admin, { url });
  await warnOfRulePacks(portsWith());
  const before = warned.length;
  test.advance(180 * 86_400);
  await warnOfRulePacks(portsWith());
  expect([before, warned.length]).toEqual([0, 0]);
  test.advance(86_400);
  await warnOfRulePacks(portsWith());
  expect(warned).toMatchObject([
    [expect.stringMatching(/^Rule pack team: .* 181 days old, more than 180/), { fix: expect.anything() }],
  ]);
  expect((await listRulePacks(ports)).packs).toMatchObject([{ is_stale: true }]);
});

it('shows, changes and removes packs, but for the one that ships', async () => {
  await importRulePack(portsWith(), admin, { url });
  answer = () => pack(2);
  await importRulePack(portsWith(), admin, { url });
  const { versions } = await getRulePack(ports, admin, { name: 'team' });
  expect(versions.map(({ dated_at: date }) => date)).toEqual(['2026-08-02', '2026-08-01']);
  const changed = await changeRulePack(ports, admin, { name: 'team', enabled: false, version_id: versions[1]!.id });
  expect(changed).toMatchObject({ enabled: false, in_force: { dated_at: '2026-08-01' } });
  const decision = { name: 'team', rule_id: idOf(1), enabled: true, level: 'low' as const };
  expect((await overrideRule(ports, admin, decision)).overrides).toEqual([
    { rule_id: idOf(1), enabled: true, level: 'low' },
  ]);
  // Also where the version in force has the rule no more.
  await changeRulePack(ports, admin, { name: 'team', version_id: versions[0]!.id });
  expect((await overrideRule(ports, admin, { ...decision, level: null })).overrides).toEqual([]);
  await expect(overrideRule(ports, admin, decision)).rejects.toMatchObject({ code: 'not_found' });
  await deleteRulePack(ports, admin, { name: 'team' });
  for (const { id } of versions)
    expect(
      await changeRulePack(ports, admin, { name: 'team', version_id: id }).catch((error: Error) => error.message),
    ).toMatch(/No such/);
  await takeCorePack(ports);
  await expect(deleteRulePack(ports, admin, { name: 'core' })).rejects.toMatchObject({ code: 'conflict' });
  await expect(getRulePack(ports, admin, { name: 'none' })).rejects.toMatchObject({ code: 'not_found' });
}, 30_000);
