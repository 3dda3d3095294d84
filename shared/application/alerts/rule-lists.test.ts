import { outboundPolicies } from '@svc/adapters/outbound/policies.ts';
import { UndiciOutboundHttp } from '@svc/adapters/outbound/undici-outbound-http.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { readEnvironment } from '@svc/config';
import { operations } from '@svc/contracts';
import { listValues, ruleListLimits, type Actor } from '@svc/domain';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planEntitySearch } from '../intel/plan-entity-search.ts';
import { suggestEntitySearch } from '../intel/suggest-entity-search.ts';
import type { Ports } from '../ports/ports.ts';
import { getRuleList, listRuleLists } from './list-rule-lists.ts';
import { readListSource } from './read-list-source.ts';
import { refreshDueLists, refreshRuleList } from './refresh-rule-lists.ts';
import { createRuleList, deleteRuleList, editRuleList } from './write-rule-list.ts';

const member: Actor = { kind: 'account', userId: '', email: '', role: 'member', ip: '' };
const admin: Actor = { ...member, role: 'admin' };
const policies = outboundPolicies(readEnvironment({ RULE_LIST_FETCH_MAX_BYTES: '30000' }));

let test: TestPorts;
let ports: Ports;
let received: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => {
  received.push(request);
  answer(request, response);
});
let source = '';

beforeAll(async () => {
  test = await openTestPorts();
  ports = { ...test.ports, outbound: reaching() };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  received = [];
  answer = (_request, response) => response.end('one\ntwo\n');
});
afterAll(async () => {
  server.close().closeAllConnections();
  await test?.close();
});

/** The guard, but for this machine. */
function reaching(over: { readonly timeoutMs?: number } = {}): UndiciOutboundHttp {
  return new UndiciOutboundHttp({ ...policies, rule_list: { ...policies.rule_list, publicOnly: false, ...over } });
}

const made = (sent: object) =>
  createRuleList(ports, admin, operations.createRuleList.body.parse({ name: 'hosts', values: 'dc01', ...sent }));
const shown = (id: number, who: Actor = admin) => getRuleList(ports, who, { id });

describe('a list', () => {
  it('keeps values in their order, in one case and width, each once', async () => {
    const { id } = await made({ values: ' DC01, ＳＱＬ－1\r\nsql-1,\n\n"a, B"\ndc01,STRASSE,straße' });
    expect(await shown(id)).toMatchObject({
      match: 'exact',
      values: ['dc01', 'sql-1', 'a, b', 'strasse'],
      count: 4,
      used_by: [],
    });
  });

  it('is as large as it may be and no larger', async () => {
    const most = Array.from({ length: ruleListLimits.values }, (_, nth) => `value ${nth}`);
    expect((await made({ values: most })).count).toBe(2000);
    const bad = (sent: object) => operations.createRuleList.body.safeParse({ name: 'x', ...sent }).success;
    expect([
      bad({ values: [...most, 'one more'] }),
      bad({ values: ['x'.repeat(201)] }),
      bad({ values: ' , ' }),
    ]).toEqual([false, false, false]);
    expect([bad({ values: 'a', name: 'A-b' }), bad({ values: 'a', match: 'regex' }), bad({ values: 'a' })]).toEqual([
      false,
      false,
      true,
    ]);
    await expect(made({})).rejects.toMatchObject({ code: 'conflict' });
  });

  it('shows its first values among others, and where it comes from to administrators alone', async () => {
    const values = Array.from({ length: 30 }, (_, nth) => `v${nth}`);
    const { id } = await made({ values, source_url: source });
    const { lists } = await listRuleLists(ports, member);
    expect(lists).toMatchObject([{ id, count: 30, values: values.slice(0, 20), has_source: true }]);
    expect(lists[0]).not.toHaveProperty('source_url');
    expect((await shown(id, member)).values).toEqual(values);
    expect((await shown(id)).source_url).toBe(source);
  });

  it('is what searches ask for and completion offers as soon as it is there', async () => {
    const filters = {
      types: [],
      tags: [],
      since: null,
      minJobs: 0,
      isWatched: false,
      hidesAllowlisted: false,
      job: null,
    };
    const notices = async () =>
      (await planEntitySearch(ports, member, { ...filters, q: '-list:hosts' }, new Date())).notices;
    expect(await notices()).toEqual(['-list:hosts: there is no list “hosts”']);
    await made({ values: 'a,b' });
    expect(await notices()).toEqual([]);
    const { suggestions } = await suggestEntitySearch(ports, member, { q: '-list:ho', pos: 8 });
    expect(suggestions).toEqual([{ insert: '-list:hosts', label: 'hosts', detail: 'exact, 2 values' }]);
  });

  it('takes an address that the guard refuses neither when it is made nor later', async () => {
    await expect(made({ source_url: 'http://169.254.169.254/latest' })).rejects.toMatchObject({ code: 'bad_request' });
    const { id } = await made({});
    for (const source_url of ['ftp://example.org/x', 'https://user:pass@example.org/x']) {
      await expect(editRuleList(ports, admin, { id, source_url })).rejects.toMatchObject({ code: 'bad_request' });
    }
  });
});

describe('the source of a list', () => {
  it('gives it its values, and is asked afterwards whether there are others', async () => {
    answer = (request, response) => {
      response.setHeader('etag', '"v1"');
      response.statusCode = request.headers['if-none-match'] === '"v1"' ? 304 : 200;
      response.end(
        response.statusCode === 200 ? '# feed\nOne\n; no\n// no\ntwo,second column\n0.0.0.0 three four # five\n' : '',
      );
    };
    const { id } = await made({ source_url: source });
    const first = await refreshRuleList(ports, admin, { id });
    expect(first).toMatchObject({
      values: ['one', 'two', 'three', 'four'],
      last_fetch_ok: true,
      last_fetch_error: null,
    });
    expect((await refreshRuleList(ports, admin, { id })).values).toEqual(first.values);
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
    // Values of somebody's own are not what the source said.
    await editRuleList(ports, admin, { id, values: ['mine'] });
    expect((await refreshRuleList(ports, admin, { id })).values).toEqual(first.values);
    expect(received[2]!.headers).not.toHaveProperty('if-none-match');
  });

  const many = Array.from({ length: 2001 }, (_, nth) => `v${nth}`).join('\n');
  it.each<[string, (response: ServerResponse) => unknown, RegExp]>([
    ['an error', (response) => response.writeHead(503).end('secret'), /^The source answered with HTTP status 503$/],
    ['a redirect', (response) => response.writeHead(302, { location: '/secret' }).end(), /^The source redirects/],
    ['a redirect to nowhere', (response) => response.writeHead(304).end(), /^The source redirects/],
    [
      'too many bytes',
      (response) => response.end('secret\n'.repeat(5000)),
      /^127\.0\.0\.1 answered with more than 30000 bytes$/,
    ],
    ['bytes that are no text', (response) => response.end(Buffer.from([0x73, 0xff, 0xfe])), /^The source is not text/],
    ['NUL', (response) => response.end('secret\0'), /^The source is not text/],
    [
      'compressed bytes',
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('secret')),
      /compressed/,
    ],
    ['comments alone', (response) => response.end('# secret\n'), /^The source has no usable values$/],
    ['long lines alone', (response) => response.end('secret'.repeat(40)), /^The source has no usable values$/],
    [
      'too many values',
      (response) => response.end(many),
      /^The source has 2.001 values; a list holds 2.000 values at most$/,
    ],
    ['an end too soon', (response) => response.socket!.destroy(), /^No answer from 127\.0\.0\.1/],
  ])('leaves the values where it gives %s, and says so without what it said', async (_what, give, error) => {
    answer = (_request, response) => void give(response);
    const { id } = await made({ source_url: source });
    const list = await refreshRuleList(ports, admin, { id });
    expect(list).toMatchObject({
      values: ['dc01'],
      last_fetch_ok: false,
      last_fetch_error: expect.stringMatching(error),
    });
    expect(list.last_fetch_error).not.toMatch(/secret|\/list/);
  });

  it('that never ends is given up', async () => {
    answer = (_request, response) => void response.write('secret');
    const { id } = await made({ source_url: source });
    const list = await refreshRuleList({ ...ports, outbound: reaching({ timeoutMs: 200 }) }, admin, { id });
    const error = '127.0.0.1 did not answer within 0.2 s';
    expect(list).toMatchObject({ values: ['dc01'], last_fetch_ok: false, last_fetch_error: error });
  });

  it('is not asked where the guard refuses its address', async () => {
    const { id } = await made({ source_url: source });
    const list = await refreshRuleList({ ...ports, outbound: test.ports.outbound }, admin, { id });
    expect(list.last_fetch_error).toMatch(/is not a public address$/);
    expect(received).toEqual([]);
  });

  it('is read again when that is due, and not before', async () => {
    const { id } = await made({ source_url: source, refresh_hours: 2 });
    await made({ name: 'wanted', source_url: source });
    expect(await refreshDueLists(ports)).toBe(1);
    expect(await refreshDueLists(ports)).toBe(0);
    test.advance(2 * 3600 + 1);
    answer = (_request, response) => response.writeHead(500).end();
    expect(await refreshDueLists(ports)).toBe(0);
    expect(received).toHaveLength(2);
    expect(await shown(id)).toMatchObject({ values: ['one', 'two'], last_fetch_ok: false });
    // What failed is not tried at once again.
    expect(await refreshDueLists(ports)).toBe(0);
    expect(received).toHaveLength(2);
  });

  it('that has lost more than half waits for somebody to ask for it', async () => {
    const of = (count: number) => Array.from({ length: count }, (_, nth) => `v${nth}`).join('\n');
    answer = (_request, response) => response.end(of(10));
    const { id } = await made({ source_url: source, refresh_hours: 1 });
    await refreshDueLists(ports);
    test.advance(3601);
    answer = (_request, response) => response.end(of(5));
    expect(await refreshDueLists(ports)).toBe(1);
    test.advance(3601);
    answer = (_request, response) => response.end(of(2));
    expect(await refreshDueLists(ports)).toBe(0);
    expect(await shown(id)).toMatchObject({
      count: 5,
      last_fetch_ok: false,
      last_fetch_error: expect.stringMatching(/has 2 values/),
    });
    expect(await refreshRuleList(ports, admin, { id })).toMatchObject({ count: 2, last_fetch_ok: true });
  });

  it('is forgotten with its history, and so is what one before said', async () => {
    const { id } = await made({ source_url: source });
    await refreshRuleList(ports, admin, { id });
    const never = { last_fetched_at: null, last_fetch_ok: null, last_fetch_error: null };
    expect(await editRuleList(ports, admin, { id, source_url: null })).toMatchObject({ ...never, has_source: false });
    await expect(refreshRuleList(ports, admin, { id })).rejects.toMatchObject({ code: 'conflict' });
  });
});

it('reads feeds of several forms', () => {
  const feed =
    '\uFEFF#c\r\n127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 Bad.example\n"quoted, one",x\n10.0.0.7\n2001:db8::7\n// c\n  padded  ,y';
  expect(readListSource(feed)).toEqual(['bad.example', 'quoted, one', '10.0.0.7', '2001:db8::7', 'padded']);
});

it('keeps values as text that means them', () => {
  expect(listValues('a\r\n"b, c"\n,,')).toEqual(['a', 'b, c']);
});

it('is deleted when no rule asks for it', async () => {
  const { id } = await made({});
  await deleteRuleList(ports, admin, { id });
  await expect(deleteRuleList(ports, admin, { id })).rejects.toMatchObject({ code: 'not_found' });
});
