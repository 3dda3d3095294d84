import type { ImportedAlertRules, JobDetail, RulePack } from '@svc/contracts';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readPack } from '@svc/engine/node';
import { tarOf } from '@svc/engine/testing';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer, type Server } from '../../test/support/server.ts';
import { describeWithSharedData, sharedData } from '../../test/support/shared-data.ts';
import type { Outcome } from './submission/outcome.ts';
import { svc } from './testing/svc.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));
const login = { username: 'admin@example.org', password: 'correct horse battery' };
const rule = (last: number): string => `title: Rule ${last}
id: 0b1f4ed2-67b5-4d2a-8a5e-00000000000${last}
level: high
date: 2026-08-0${last}
logsource: { product: windows }
detection: { s: { EventID: 4104 }, condition: s }
`;
const packed = (...files: [string, string][]): Uint8Array =>
  gzipSync(tarOf(files.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))));

let folder: string;
let server: Server;
let publisher: HttpServer;
let published: RequestListener = (_request, response) => response.writeHead(404).end();
let address: string;
let headers: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-import-'));
  publisher = createServer((request, response) => published(request, response));
  await once(publisher.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`;
  const path = join(folder, 'team.tgz');
  writeFileSync(path, packed(['a.yml', rule(1)]));
  const env = {
    ADMIN_EMAIL: login.username,
    ADMIN_PASSWORD: login.password,
    RULE_PACK_REQUIRE_PUBLIC_HOST: 'false',
    RULE_PACKS: `team=${path} lost=${address}/lost.zip`,
  };
  server = await startServer({ env });
  process.env['SVC_URL'] = server.url;
  process.env['XDG_CONFIG_HOME'] = folder;
  const answer = await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body: new URLSearchParams(login) });
  headers = { cookie: answer.headers.get('set-cookie')!.split(';')[0]!, origin: server.url };
  const made = await fetch(`${server.url}/admin/api-tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'svc', scopes: ['intel:rules', 'job:submit', 'job:read', 'rule:write'] }),
  });
  process.env['SVC_TOKEN'] = ((await made.json()) as { token: string }).token;
});
afterAll(async () => {
  publisher?.close();
  await server?.stop();
  await server?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function packs(): Promise<Record<string, string>> {
  const answer = await fetch(`${server.url}/api/v1/rule-packs`, { headers });
  const { packs: all } = (await answer.json()) as { packs: RulePack[] };
  return Object.fromEntries(all.map(({ name, in_force: { version } }) => [name, version]));
}

async function analyzed(): Promise<JobDetail> {
  const { out } = await svc('submit', sample, '--force', '--format', 'json');
  const [outcome] = JSON.parse(out) as Outcome[];
  const answer = await fetch(outcome!.job_url!, {
    headers: { ...headers, accept: 'application/json' },
  });
  return (await answer.json()) as JobDetail;
}

const importing = (...argv: string[]) => svc('rules', 'import', ...argv);

describe('svc rules import', () => {
  it('finds the packs in force that ship or were named at the start', async () => {
    await vi.waitFor(() => expect(server.output()).toMatch(/rule pack could not be taken.*lost/), 30_000);
    const all = await packs();
    expect(Object.keys(all)).toEqual(['core', 'team']);
    expect(all['team']).toMatch(/^2026-08-01-/);
  });

  it('puts a pack in force, which jobs then run and tell of', async () => {
    const path = join(folder, 'own.tgz');
    writeFileSync(
      path,
      packed(['a.yml', rule(2)], ['bad.yml', 'title: Bad\nlogsource: {}\n'], ['LICENSE', 'DRL 1.1\n']),
    );
    const first = await importing(path, '--pack-version', 'r1');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(
      /^own r1 is in force: 1 rule, newest of 2026-08-02, licence: DRL 1\.1\n1 rule rejected:\n {2}bad\.yml:1: /,
    );
    expect((await importing(path)).out).toMatch(/^own r1 was in force already/);
    const { rules } = await analyzed();
    expect(rules).toMatchObject({ rejected: 1, newer: false });
    expect(rules!.packs.map(({ name }) => name)).toEqual(['core', 'own', 'team']);
    expect(rules!.packs[1]).toMatchObject({ version: 'r1', dated_at: '2026-08-02' });
  });

  it('refuses a hostile pack with a sentence, and leaves the one before in force', async () => {
    const before = await packs();
    const path = join(folder, 'own.zip');
    writeFileSync(path, zipSync({ '../own.yml': Buffer.from(rule(3)) }));
    const refused = await importing(path);
    expect(refused.code).toBe(3);
    expect(refused.err).toMatch(/own\.yml.*leads out/);
    expect(await packs()).toEqual(before);
  });

  it('has the service fetch a pack, over a redirect and not from anywhere', async () => {
    published = (request, response) => {
      if (request.url === '/latest/far.tgz') response.writeHead(302, { location: '/r7/far.tgz' }).end();
      else response.end(packed(['far.yml', rule(4)]));
    };
    const far = await importing(`${address}/latest/far.tgz`, '--name', 'far');
    expect(far).toMatchObject({ code: 0, err: '' });
    published = (_request, response) => response.writeHead(302, { location: '/' }).end();
    expect((await importing(`${address}/round.zip`)).err).toMatch(/without end/);
    published = (_request, response) => response.writeHead(404).end();
    expect((await importing(`${address}/gone.zip`)).err).toMatch(/answered with status 404/);
    expect(await packs()).toMatchObject({ far: expect.stringMatching(/^2026-08-04-/) });
  });

  it('cannot be understood without a pack, and reads folders itself', async () => {
    expect(await importing()).toMatchObject({ code: 2, err: expect.stringContaining('It is: svc rules import PACK') });
    expect(await importing(join(folder, 'nowhere'))).toMatchObject({ code: 2 });
    const { code, out } = await importing(fileURLToPath(new URL('../../config/sigma/linux', import.meta.url)));
    expect([code, out]).toEqual([0, expect.stringMatching(/^linux .* is in force/)]);
  });
});

describe('svc alert-rules', () => {
  const document = `lists:
  - name: crown_jewels
    match: exact
    values:
      - dc01
rules:
  - name: Night watch
    scope: entity
    criteria: list:crown_jewels -tag:reviewed
    notify: true
    enabled: true
`;
  const write = (text: string): string => {
    const path = join(folder, 'rules.yml');
    writeFileSync(path, text);
    return path;
  };

  it('says what a document would change, takes it, and gives it out as it came in', async () => {
    const path = write(document);
    const told = 'new        list crown_jewels\nnew        rule Night watch\n';
    for (let time = 0; time < 2; time += 1) {
      expect(await svc('alert-rules', 'test', path)).toEqual({
        code: 0,
        out: `${told}Nothing was changed: svc alert-rules import takes it\n`,
        err: '',
      });
    }
    expect(await svc('alert-rules', 'import', path)).toMatchObject({ code: 0, out: `${told}Imported\n` });
    const { code, out } = await svc('alert-rules', 'export');
    expect([code, out]).toEqual([0, expect.stringContaining('name: Night watch')]);
    const again = await svc('alert-rules', 'import', write(out), '--shared', '--format', 'json');
    const { changes } = JSON.parse(again.out) as ImportedAlertRules;
    const own = changes.filter(({ name }) => ['Night watch', 'crown_jewels'].includes(name));
    expect([again.code, own.map(({ change }) => change)]).toEqual([0, ['unchanged', 'unchanged']]);
    expect((await svc('alert-rules', 'export')).out).toBe(out);
  });

  it('takes rules for all by their keys where it is told to', async () => {
    const path = write(document.replace('  - name: Night', '  - key: night\n    name: Night'));
    const { code, out } = await svc('alert-rules', 'import', path, '--shared');
    expect([code, out]).toEqual([0, expect.stringContaining('new        shared rule Night watch')]);
  });

  it('refuses a document with every reason and its line, and changes nothing', async () => {
    const { out: before } = await svc('alert-rules', 'export');
    const path = write(document.replace('list:crown_jewels', 'type:spirit list:missing').replace('Night', 'Day'));
    const { code, out, err } = await svc('alert-rules', 'import', path);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/rules\[0\] \(Day watch\): .*spirit.*line \d+/);
    expect(err).toMatch(/rules\[0\] \(Day watch\): .*missing.*line \d+/);
    expect((await svc('alert-rules', 'export')).out).toBe(before);
  });

  it.each<[string, number, string[], Record<string, string>]>([
    ['a file that is not there', 2, ['alert-rules', 'import', 'no-such.yml'], {}],
    ['a word that it does not know', 2, ['alert-rules', 'delete'], {}],
    ['no file', 2, ['alert-rules', 'test'], {}],
    ['a service that is away', 4, ['alert-rules', 'export'], { SVC_URL: 'http://127.0.0.1:9' }],
    ['a token that it does not know', 5, ['alert-rules', 'export'], { SVC_TOKEN: 'svc_unknown' }],
  ])('ends with a number that says so: %s', async (_, expected, argv, variables) => {
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      const { code, out, err } = await svc(...argv);
      expect([code, out, err === '']).toEqual([expected, '', false]);
    } finally {
      Object.assign(process.env, before);
    }
  });
});

describeWithSharedData('the rules of SigmaHQ', () => {
  it('are taken as they are released, each loaded or rejected with its line', async () => {
    const { rules } = await readPack(sharedData('sigma-rules'));
    const path = join(folder, 'sigma_all_rules.zip');
    writeFileSync(path, zipSync(Object.fromEntries(rules.map((one) => [one.path, Buffer.from(one.text)]))));
    const { code, out } = await importing(path, '--name', 'sigmahq', '--format', 'json');
    expect(code).toBe(0);
    const { pack } = JSON.parse(out) as { pack: RulePack };
    const { loaded, rejected, retired } = pack.in_force;
    expect(loaded + rejected + retired).toBe(rules.length);
    expect(rejected).toBeLessThan(30);
    const { rules: used } = await analyzed();
    expect(used!.loaded).toBeGreaterThan(loaded);
  });
});
