import { describe, expect, it } from 'vitest';
import { freshTables, readAll } from '../../testing/index.ts';
import { detectLogType } from '../detect-log-type.ts';
import { readWebLog } from './read-web-log.ts';

const request = 'GET /a%20b/x.php?q=1%27&r=%252e HTTP/1.1';
const combined = `192.0.2.1 - bob [17/May/2015:10:05:03 +0200] "${request}" 404 12 "http://r/" "Agent \\"1\\" x"`;

const lines: { what: string; line: string; flat: Record<string, string>; lacks?: string[] }[] = [
  {
    what: 'combined',
    line: combined,
    flat: {
      'c-ip': '192.0.2.1',
      'cs-username': 'bob',
      'cs-method': 'GET',
      'cs-uri': "/a%20b/x.php?q=1%27&r=%252e|/a b/x.php?q=1'&r=%2e",
      'cs-uri-stem': '/a%20b/x.php|/a b/x.php',
      'cs-uri-query': "q=1%27&r=%252e|q=1'&r=%2e",
      'cs-version': 'HTTP/1.1',
      'sc-status': '404',
      'sc-bytes': '12',
      'cs-referer': 'http://r/',
      'cs-referrer': 'http://r/',
      'cs-user-agent': 'Agent \\"1\\" x',
      'c-useragent': 'Agent \\"1\\" x',
      'CS(USER-AGENT)': 'Agent \\"1\\" x',
    },
  },
  {
    what: 'common',
    line: 'h - - [17/May/2015:10:05:03 +0000] "POST / HTTP/1.0" 200 -',
    flat: { 'cs-method': 'POST', 'cs-uri-stem': '/', 'sc-status': '200' },
    lacks: ['cs-username', 'sc-bytes', 'cs-uri-query', 'cs-user-agent'],
  },
  {
    what: 'with a virtual host before',
    line: `www.example.org:443 ${combined}`,
    flat: { 'cs-host': 'www.example.org', 's-port': '443', 'c-ip': '192.0.2.1', 'cs-username': 'bob' },
  },
  {
    what: 'a whole address as target',
    line: 'h - - [17/May/2015:10:05:03 +0000] "GET http://other.example/p?a=b HTTP/1.1" 200 1',
    flat: {
      'cs-uri-stem': '/p',
      'cs-uri-query': 'a=b',
      'c-uri': 'http://other.example/p?a=b',
      'r-dns': 'other.example',
    },
  },
  {
    what: 'what is no request',
    line: 'h - - [17/May/2015:10:05:03 +0000] "\\x16\\x03\\x01" 400 1 "-" "-"',
    flat: { request: '\\x16\\x03\\x01', 'sc-status': '400' },
    lacks: ['cs-method', 'cs-uri', 'cs-user-agent'],
  },
  {
    what: 'quotes within the agent',
    line: 'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "a"b"c d"',
    flat: { 'cs-user-agent': 'a"b"c d' },
  },
  {
    what: 'a load balancer',
    line: `https 2020-01-11T16:55:20.356586Z app/x 192.0.2.1:44325 192.0.2.2:443 0.0 0.1 0.0 200 201 391 107999 "GET https://h.example:443/p?q HTTP/1.1" "A" c t arn "X" "h.example" "arn" 2`,
    flat: {
      'c-ip': '192.0.2.1',
      's-ip': '192.0.2.2',
      'sc-status': '200',
      'sc-bytes': '107999',
      'cs-uri': '/p?q',
      'cs-host': 'h.example',
    },
  },
  {
    what: 'a classic load balancer',
    line: `2021-05-13T23:39:43.945958Z lb 192.0.2.1:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 0 29 "GET http://h:80/ HTTP/1.1" "curl" - -`,
    flat: { 'c-ip': '192.0.2.1', 'cs-user-agent': 'curl', 'cs-uri': '/' },
  },
  {
    what: 'squid',
    line: '1286536308.779    180 192.0.2.1 TCP_MISS/200 411 GET http://h.example/x.exe?a=b bob DIRECT/192.0.2.9 text/html',
    flat: {
      'c-uri': 'http://h.example/x.exe?a=b',
      'cs-host': 'h.example',
      'cs-uri-query': 'a=b',
      'sc-status': '200',
      'cs-username': 'bob',
      src_ip: '192.0.2.1',
    },
  },
];

const iis = `#Software: Microsoft Internet Information Services 10.0
#Date: 2021-04-01 00:00:21
#Fields: time c-ip cs-method cs-uri-stem cs-uri-query cs-username cs(User-Agent) sc-status
00:00:22 192.0.2.1 GET /a.aspx x=%3c - Mozilla/5.0+(X;+Y) 200
00:00:23 192.0.2.1 GET /b.aspx -  curl 500
#Date: 2021-04-02 00:00:00
#Fields: date time s-ip cs-method cs-uri-stem
2021-04-03 00:00:24 192.0.2.9 POST /c.aspx
`;

describe('readWebLog', () => {
  it.each(lines)('$what', async ({ line, flat, lacks = [] }) => {
    expect(await valuesOf(line, Object.keys(flat))).toEqual([flat]);
    expect(await valuesOf(line, lacks)).toEqual([{}]);
  });

  it('reads W3C logs whose fields change, with the date from its directive', async () => {
    const { report, heads } = await readAll(readWebLog, iis);
    expect(report).toEqual({ records: 3, problems: [] });
    expect(heads.map((head) => head.timestamp)).toEqual([
      '2021-04-01T00:00:22Z',
      '2021-04-01T00:00:23Z',
      '2021-04-03T00:00:24Z',
    ]);
    expect(await valuesOf(iis, ['cs-uri', 'cs-user-agent', 's-ip', 'cs-username'])).toEqual([
      { 'cs-uri': '/a.aspx?x=%3c|/a.aspx?x=<', 'cs-user-agent': 'Mozilla/5.0+(X;+Y)|Mozilla/5.0 (X; Y)' },
      { 'cs-uri': '/b.aspx', 'cs-user-agent': 'curl' },
      { 'cs-uri': '/c.aspx', 's-ip': '192.0.2.9' },
    ]);
  });

  it.each([
    ['IIS 8 and later', 'Mozilla/5.0+(X) http://h.example/ '],
    ['IIS 7', 'Mozilla/5.0+(X) '],
  ])('reads a piece of a log of %s whose #Fields line is lost', async (_, agent) => {
    const line = `2026-04-01 00:00:22 192.0.2.9 GET /a.aspx x=%3c 443 - 192.0.2.1 ${agent}200 0 0 15`;
    expect(detectLogType(new TextEncoder().encode(line))).toBe('web_access');
    expect((await readAll(readWebLog, line)).heads[0]).toMatchObject({ timestamp: '2026-04-01T00:00:22Z' });
    expect(await valuesOf(line, ['cs-method', 'cs-uri-query', 'c-ip', 'sc-status', 'time-taken'])).toEqual([
      { 'cs-method': 'GET', 'cs-uri-query': 'x=%3c|x=<', 'c-ip': '192.0.2.1', 'sc-status': '200', 'time-taken': '15' },
    ]);
  });

  it('reads error logs', async () => {
    const { report, heads, records } = await readAll(
      readWebLog,
      '[Sun Dec 04 04:47:44 2005] [error] File does not exist: /x\n2024/01/02 03:04:05 [crit] 12#12: *1 open() failed\n',
    );
    expect(report).toEqual({ records: 2, problems: [] });
    expect(heads.map(({ timestamp, channel, eventId }) => [timestamp, channel, eventId])).toEqual([
      ['2005-12-04T04:47:44Z', 'apache error', 'error'],
      ['2024-01-02T03:04:05Z', 'nginx error', 'crit'],
    ]);
    expect(records[0]).toMatchObject({ message: 'File does not exist: /x' });
  });

  it('reads JSON lines of web servers', async () => {
    const line = { request_uri: '/a?b=%3c', request_method: 'GET', http_user_agent: 'u', status: 200 };
    expect(await valuesOf(JSON.stringify(line), ['cs-uri-query', 'cs-method', 'sc-status', 'cs-user-agent'])).toEqual([
      { 'cs-uri-query': 'b=%3c|b=<', 'cs-method': 'GET', 'sc-status': '200', 'cs-user-agent': 'u' },
    ]);
  });

  it('says where and when', async () => {
    const { heads } = await readAll(readWebLog, combined);
    expect(heads[0]).toEqual({
      recordId: null,
      timestamp: '2015-05-17T08:05:03Z',
      computer: '192.0.2.1',
      channel: 'web access',
      eventId: 'GET',
    });
  });

  it('gives keyword rules the whole line, also decoded', async () => {
    const texts: string[] = [];
    await readAll(readWebLog, combined, (event) => {
      event.keywords((id) => {
        texts.push(event.values.text(id));
        return false;
      });
    });
    expect(texts).toEqual([combined, combined.replace('%20', ' ').replace('%27', "'").replace('%252e', '%2e')]);
  });

  it('counts lines that are no records', async () => {
    const { report } = await readAll(readWebLog, `${combined}\nhello\n\n${combined}`);
    expect(report.records).toBe(2);
    expect(report.problems).toMatchObject([{ code: 'record-malformed', count: 1, offset: combined.length + 1 }]);
  });
});

/** Texts of the fields that each record has, several of a field joined. */
async function valuesOf(text: string, names: readonly string[]): Promise<Record<string, string>[]> {
  const tables = freshTables();
  const fields = names.map((name) => [name, tables.fields.id(name)] as const);
  const found: Record<string, string>[] = [];
  await readAll(
    readWebLog,
    text,
    (event) => {
      const entries = fields.flatMap(([name, field]) => {
        const id = event.value(field);
        const items = event.values.items(id) ?? [id];
        return id === 0 ? [] : [[name, items.map((item) => event.values.text(item)).join('|')]];
      });
      found.push(Object.fromEntries(entries) as Record<string, string>);
    },
    { tables },
  );
  return found;
}
