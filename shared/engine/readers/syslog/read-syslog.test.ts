import { describe, expect, it } from 'vitest';
import { lookUp, type Seen } from '../../testing/look-up.ts';
import { readAll } from '../../testing/read-all.ts';
import { readSyslog } from './read-syslog.ts';

const now = Date.UTC(2026, 2, 15, 12);

interface Head {
  readonly time?: string | null;
  readonly host?: string;
  readonly program?: string;
  readonly pid?: string;
  readonly message?: string;
  readonly facility?: string;
  readonly severity?: string;
  readonly msgid?: string;
}

describe('heads of messages', () => {
  it.each<[string, string, Head]>([
    [
      'RFC 3164 without priority',
      'Mar  1 10:00:01 web1 sshd[1234]: Accepted',
      { time: '2026-03-01T10:00:01Z', host: 'web1', program: 'sshd', pid: '1234', message: 'Accepted' },
    ],
    [
      'RFC 3164 with priority',
      "<34>Oct 11 22:14:15 mymachine su: 'su root' failed",
      {
        time: '2025-10-11T22:14:15Z',
        host: 'mymachine',
        program: 'su',
        message: "'su root' failed",
        facility: 'auth',
        severity: 'crit',
      },
    ],
    [
      'a priority and nothing else',
      '<13>app[7]: hello',
      { time: null, program: 'app', pid: '7', message: 'hello', facility: 'user', severity: 'notice' },
    ],
    [
      'a fraction of the second',
      'Mar  1 10:00:01.123456 web1 app: x',
      { time: '2026-03-01T10:00:01.123456Z', host: 'web1', program: 'app', message: 'x' },
    ],
    [
      'a year',
      'Mar  1 2019 10:00:01 web1 app: x',
      { time: '2019-03-01T10:00:01Z', host: 'web1', program: 'app', message: 'x' },
    ],
    ['no host', 'Mar  1 10:00:01 kernel: [9.1] sda', { program: 'kernel', message: '[9.1] sda' }],
    ['no program', "Mar  1 10:00:01 web1 Job `cron.daily' ended", { host: 'web1', message: "Job `cron.daily' ended" }],
    ['neither', 'Mar  1 10:00:01: --- last message repeated', { message: '--- last message repeated' }],
    [
      'a path as program',
      'Mar  1 10:00:01 web1 /sbin/a[1]: x',
      { host: 'web1', program: '/sbin/a', pid: '1', message: 'x' },
    ],
    [
      'a bracket too many',
      'Mar  1 10:00:01 web1 gdm-launch]: x',
      { host: 'web1', program: 'gdm-launch', message: 'x' },
    ],
    ['no text', 'Mar  1 10:00:01 web1 app:', { host: 'web1', program: 'app' }],
    ['a time and nothing else', 'Mar  1 10:00:01', { time: '2026-03-01T10:00:01Z' }],
    [
      'ISO, as rsyslog writes it',
      '2023-03-01T10:00:01.5+02:00 web1 sshd[1]: x',
      { time: '2023-03-01T08:00:01.5Z', host: 'web1', program: 'sshd', pid: '1', message: 'x' },
    ],
    [
      'ISO with a blank',
      '2023-03-01 10:00:01 web1 app: x',
      { time: '2023-03-01T10:00:01Z', host: 'web1', program: 'app', message: 'x' },
    ],
    [
      'RFC 5424',
      '<165>1 2003-10-11T22:14:15.003Z host.example evntslog 42 ID47 - BOM-less',
      {
        time: '2003-10-11T22:14:15.003Z',
        host: 'host.example',
        program: 'evntslog',
        pid: '42',
        msgid: 'ID47',
        facility: 'local4',
        severity: 'notice',
        message: 'BOM-less',
      },
    ],
    ['RFC 5424 with nothing said', '<14>1 - - - - - -', { time: null, facility: 'user', severity: 'info' }],
    [
      'RFC 5424 with a mark',
      '<14>1 - h a - - - \uFEFFtext',
      { time: null, host: 'h', program: 'a', message: 'text', facility: 'user', severity: 'info' },
    ],
    [
      'a router',
      '<189>6705: rtr1: *Feb 17 13:40:03.673 UTC: %SYS-5-CONFIG_I: done',
      {
        time: '2026-02-17T13:40:03.673Z',
        host: 'rtr1',
        message: '%SYS-5-CONFIG_I: done',
        facility: 'local7',
        severity: 'notice',
      },
    ],
    [
      'a router by its address',
      '10.0.0.1 6705: Feb 17 13:40:03: %PARSER-5-X: y',
      { host: '10.0.0.1', message: '%PARSER-5-X: y' },
    ],
    [
      'a container',
      '2024-04-16T06:21:30.49Z stderr F started',
      { time: '2024-04-16T06:21:30.49Z', message: 'started' },
    ],
    [
      'vsftpd',
      'Mon Jun  6 18:43:28 2016 [pid 2] CONNECT: Client "10.0.0.9"',
      { time: '2016-06-06T18:43:28Z', program: 'vsftpd', pid: '2', message: 'CONNECT: Client "10.0.0.9"' },
    ],
  ])('%s', async (_, line, { time, ...fields }) => {
    const names = ['host', 'program', 'pid', 'message', 'facility', 'severity', 'msgid'];
    const { heads, report } = await readAll(readSyslog, line, undefined, { now });
    expect(report).toEqual({ records: 1, problems: [] });
    if (time !== undefined) expect(heads[0]!.timestamp).toBe(time);
    const [seen] = await lookUp(readSyslog, line, names, { now });
    expect(seen!.fields).toEqual(fields);
    if (fields.message === undefined && !line.includes('su root')) expect(seen!.fields).not.toHaveProperty('message');
  });

  it('reads what each report says', async () => {
    const { heads } = await readAll(readSyslog, '<14>1 2003-10-11T22:14:15Z h app 42 ID47 - x');
    expect(heads[0]).toEqual({
      recordId: null,
      timestamp: '2003-10-11T22:14:15Z',
      computer: 'h',
      channel: 'app',
      eventId: 'ID47',
    });
  });
});

describe('years', () => {
  it.each([
    ['Mar 15 11:00:00', '2026-03-15T11:00:00Z'],
    ['Mar 16 01:00:00', '2026-03-16T01:00:00Z'],
    ['Mar 17 00:00:00', '2025-03-17T00:00:00Z'],
    ['Dec 31 23:59:59', '2025-12-31T23:59:59Z'],
    ['Jan  1 00:00:00', '2026-01-01T00:00:00Z'],
    ['Feb 29 12:00:00', '2024-02-29T12:00:00Z'],
    ['Feb 30 12:00:00', null],
    ['Mar  1 25:00:00', null],
  ])('%s, seen on 15 March 2026 at noon, is %s', async (text, expected) => {
    const { heads } = await readAll(readSyslog, `${text} h a: x`, undefined, { now });
    expect(heads[0]!.timestamp).toBe(expected);
  });
});

describe('lines and messages', () => {
  const texts = async (log: string): Promise<unknown[]> => {
    const { records } = await readAll(readSyslog, log, undefined, { now });
    return records.map(({ message, _offset }) => [message, _offset]);
  };

  it('belong together where a line does not begin like a message', async () => {
    const log = 'Mar  1 10:00:01 h a: one\r\n\tmore\r\n\r\nand more\nMar  1 10:00:02 h a: two\n';
    expect(await texts(log)).toEqual([
      ['one\r\n\tmore\r\n\r\nand more', 0],
      ['two', log.indexOf('Mar  1 10:00:02')],
    ]);
  });

  it('are as long as they say (octet counting)', async () => {
    const messages = [
      '<13>Mar  1 10:00:01 h a: one\nMar  1 10:00:01 h b: not two',
      '<13>Mar  1 10:00:02 h a: two',
      '<13>b: 3',
    ];
    const framed = messages.map((text) => `${text.length} ${text}`);
    const expected = ['one\nMar  1 10:00:01 h b: not two', 'two', '3'];
    for (const between of ['', '\n']) {
      expect((await texts(framed.join(between))).map((pair) => (pair as unknown[])[0])).toEqual(expected);
    }
  });

  it('are not as long as they say where nothing bears it out', async () => {
    expect(await texts('5 <13>a: one\n9999999 <13>b: two')).toHaveLength(2);
  });

  it('without any head are messages each, and are counted', async () => {
    const { records, report } = await readAll(readSyslog, 'no head\nnone either\nMar  1 10:00:01 h a: x');
    expect(records.map(({ message }) => message)).toEqual(['no head', 'none either', 'x']);
    expect(report).toMatchObject({ records: 3, problems: [{ code: 'no-head', count: 2, offset: 0 }] });
  });

  it('are bounded: the lines of no end behind a head are cut into messages', async () => {
    const log = `Mar  1 10:00:01 h a: x\n${'continued\n'.repeat(120_000)}`;
    const { report } = await readAll(readSyslog, log);
    expect(report.records).toBeGreaterThan(1);
    expect(report.problems).toMatchObject([{ code: 'no-head' }]);
  });
});

describe('what messages hold', () => {
  const fields = async (line: string, ...names: string[]): Promise<Seen['fields']> => {
    const [seen] = await lookUp(readSyslog, line, names, { now });
    return seen!.fields;
  };
  const by = (program: string, message: string): string => `Mar  1 10:00:01 h ${program}[1]: ${message}`;

  it('is sudo telling who runs what', async () => {
    const message = 'alice : TTY=pts/0 ; PWD=/home/a b ; USER=root ; COMMAND=/bin/sh -c a ; b USER=x';
    expect(await fields(by('sudo', `   ${message}`), 'user', 'USER', 'TTY', 'PWD', 'COMMAND')).toEqual({
      user: 'alice',
      USER: 'root',
      TTY: 'pts/0',
      PWD: '/home/a b',
      COMMAND: '/bin/sh -c a ; b USER=x',
    });
    const failed = 'bob : 3 incorrect password attempts ; TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/su';
    expect(await fields(by('sudo', failed), 'TTY', 'COMMAND')).toEqual({ TTY: 'pts/1', COMMAND: '/bin/su' });
  });

  it.each([
    ['Failed password for root from 10.0.0.1 port 22 ssh2', 'Failed', 'root', '10.0.0.1', '22'],
    ['Failed none for invalid user a b from ::1 port 2 ssh2', 'Failed', 'a b', '::1', '2'],
    ['Accepted publickey for me from 10.0.0.1 port 3 ssh2: RSA x', 'Accepted', 'me', '10.0.0.1', '3'],
    ['Invalid user admin from 10.0.0.1', undefined, 'admin', '10.0.0.1', undefined],
    ['Connection closed by authenticating user root 10.0.0.1 port 4 [preauth]', undefined, 'root', '10.0.0.1', '4'],
    ['Connection closed by 10.0.0.1 [preauth]', undefined, undefined, '10.0.0.1', undefined],
    ['Server listening on :: port 22.', undefined, undefined, undefined, undefined],
  ])('is sshd telling of a login: %s', async (message, action, user, address, port) => {
    for (const program of ['sshd', 'sshd-session']) {
      const found = await fields(by(program, message), 'action', 'user', 'src_ip', 'src_port');
      expect([found.action, found.user, found.src_ip, found.src_port]).toEqual([action, user, address, port]);
    }
  });

  it('is vsftpd telling of a file', async () => {
    const line = 'Mon Jun  6 18:43:28 2016 [pid 2] [jean] OK UPLOAD: Client "10.0.0.9", "/a b", 10 bytes';
    expect(await fields(line, 'user', 'result', 'action', 'src_ip', 'path')).toEqual({
      user: 'jean',
      result: 'OK',
      action: 'UPLOAD',
      src_ip: '10.0.0.9',
      path: '/a b',
    });
  });

  it('is structured data', async () => {
    const line = String.raw`<165>1 - h app - - [ex@1 iut="3" note="a \"b\" \]"][other@2 x="y"][empty@3] text`;
    expect(await fields(line, 'ex@1.iut', 'ex@1.note', 'other@2.x', 'message')).toEqual({
      'ex@1.iut': '3',
      'ex@1.note': 'a "b" ]',
      'other@2.x': 'y',
      message: 'text',
    });
  });
});

describe('log sources', () => {
  const linux = (...services: string[]): object[] => [
    { product: 'linux' },
    ...['syslog', ...services].map((service) => ({ product: 'linux', service })),
  ];
  const cisco = ['syslog', 'bgp', 'ldp'].map((service) => ({ product: 'cisco', service }));
  const application = (...products: string[]): object[] =>
    products.flatMap((product) => [{ product }, { product, category: 'application' }]);

  it.each([
    ['Mar  1 10:00:01 h sshd[1]: x', linux('sshd', 'auth')],
    ['Mar  1 10:00:01 h sshd-session[1]: x', linux('sshd', 'auth')],
    ['Mar  1 10:00:01 h sudo: x', linux('sudo', 'auth')],
    ['Mar  1 10:00:01 h CRON[1]: x', linux('cron')],
    ['Mar  1 10:00:01 h /usr/sbin/crond[1]: x', linux('cron')],
    ['Mar  1 10:00:01 h anacron[1]: x', linux('cron')],
    ['Mar  1 10:00:01 h clamd[1]: x', linux('clamav')],
    ['Mar  1 10:00:01 h freshclam[1]: x', linux('clamav')],
    ['Mar  1 10:00:01 h vsftpd[1]: x', linux('vsftpd')],
    ['Mar  1 10:00:01 h guacd[1]: x', linux('guacamole')],
    ['Mar  1 10:00:01 h useradd[1]: x', linux('auth')],
    ['<38>Mar  1 10:00:01 h some: x', linux('auth')],
    ['<86>Mar  1 10:00:01 h some: x', linux('auth')],
    ['<13>Mar  1 10:00:01 h some: x', linux()],
    ['Mar  1 10:00:01 h constructor: x', linux()],
    ['Mar  1 10:00:01 h nginx: x', [...linux(), { service: 'nginx' }]],
    ['Mar  1 10:00:01 h apache2[1]: x', [...linux(), { service: 'apache' }]],
    ['Mar  1 10:00:01 h tomcat[1]: x', [...linux(), ...application('jvm', 'spring', 'velocity')]],
    ['Mar  1 10:00:01 h %SYS-5-CONFIG_I: x', [...linux(), ...cisco]],
    ['Mar  1 10:00:01 h 45: Mar  1 10:00:00: %TCP-6-BADAUTH: x', [...linux(), ...cisco]],
    ['10.0.0.1 1: Feb 17 13:40:03: %PARSER-5-X: y', [...linux(), ...cisco, { product: 'cisco', service: 'aaa' }]],
    ['Mar  1 2023 10:00:01 h %%01BGP/3/BGP_AUTH_FAILED(l)[1]: x', [...linux(), { product: 'huawei', service: 'bgp' }]],
    ['Mar  1 10:00:01 h rpd[1]: x', [...linux(), { product: 'juniper', service: 'bgp' }]],
    ['Mar  1 10:00:01 h kernel: tcp_auth_ok: x', [...linux(), { product: 'juniper', service: 'bgp' }]],
    ['Mar  1 10:00:01 h app: E: x\n\tat a.b.C(D.java:1)', [...linux(), ...application('jvm', 'spring', 'velocity')]],
    [
      'Mar  1 10:00:01 h app: x\nTraceback (most recent call last):\n  File',
      [...linux(), ...application('python', 'django', 'sql')],
    ],
    ['Mar  1 10:00:01 h app: E\n    at a (node:fs:1:2)', [...linux(), ...application('nodejs')]],
    ['Mar  1 10:00:01 h app: 100% done', linux()],
  ])('%s', async (line, expected) => {
    const [seen] = await lookUp(readSyslog, line, [], { now });
    expect(seen!.facts).toEqual(expected);
  });

  it('search the whole message by keywords', async () => {
    const line = 'Mar  1 10:00:01 h app: x\n  y';
    const [seen] = await lookUp(readSyslog, line, [], { now });
    expect(seen!.keywords).toEqual([line]);
  });
});
