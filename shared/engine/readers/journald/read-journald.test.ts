import { describe, expect, it } from 'vitest';
import { lookUp } from '../../testing/look-up.ts';
import { readAll } from '../../testing/read-all.ts';
import { readJournald } from './read-journald.ts';

const entry = {
  __CURSOR: 's=1;i=2',
  __REALTIME_TIMESTAMP: '1700000000123456',
  __SEQNUM: '77',
  _HOSTNAME: 'web1',
  _PID: '12',
  _UID: '0',
  _COMM: 'sshd',
  _EXE: '/usr/sbin/sshd',
  _CMDLINE: 'sshd: root [priv]',
  SYSLOG_IDENTIFIER: 'sshd',
  SYSLOG_FACILITY: '10',
  MESSAGE: 'Failed password for root from 10.0.0.1 port 22 ssh2',
};

/** The entry in the export format; values that are no plain text with their lengths. */
function exported(fields: Readonly<Record<string, string | readonly string[] | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? (value as string[]) : [value as string | Buffer]) {
      const bytes = Buffer.from(one as string);
      const length = Buffer.alloc(8);
      length.writeUInt32LE(bytes.length);
      const isPlain = !bytes.some((byte) => byte < 0x20);
      parts.push(
        isPlain ? Buffer.from(`${name}=${one as string}`) : Buffer.concat([Buffer.from(`${name}\n`), length, bytes]),
      );
      parts.push(Buffer.from('\n'));
    }
  }
  return Buffer.concat([...parts, Buffer.from('\n')]);
}

const containers = {
  export: (...entries: (typeof entry)[]) => Buffer.concat(entries.map(exported)),
  'JSON lines': (...entries: (typeof entry)[]) => Buffer.from(entries.map((one) => JSON.stringify(one)).join('\n')),
  'indented JSON': (...entries: (typeof entry)[]) =>
    Buffer.from(entries.map((one) => JSON.stringify(one, null, '\t')).join('\n')),
  'a JSON array': (...entries: (typeof entry)[]) => Buffer.from(JSON.stringify(entries)),
};

describe.each(Object.entries(containers))('the journal as %s', (_, contain) => {
  it('has native names, and those that rules and reports use', async () => {
    const { report, heads, records } = await readAll(readJournald, contain(entry, { ...entry, MESSAGE: 'two' }));
    expect(report).toEqual({ records: 2, problems: [] });
    expect(heads[0]).toEqual({
      recordId: '77',
      timestamp: '2023-11-14T22:13:20.123456Z',
      computer: 'web1',
      channel: 'sshd',
      eventId: null,
    });
    expect(records[0]).toMatchObject({ ...entry, src_ip: '10.0.0.1', _offset: expect.any(Number) });
    const names = [
      'MESSAGE',
      'message',
      'host',
      'program',
      'pid',
      'Image',
      'exe',
      'CommandLine',
      'proctitle',
      'comm',
      'uid',
    ];
    const [seen] = await lookUp(readJournald, contain(entry), [...names, 'user', 'nothing']);
    expect(seen!.fields).toEqual({
      MESSAGE: entry.MESSAGE,
      message: entry.MESSAGE,
      host: 'web1',
      program: 'sshd',
      pid: '12',
      Image: '/usr/sbin/sshd',
      exe: '/usr/sbin/sshd',
      CommandLine: 'sshd: root [priv]',
      proctitle: 'sshd: root [priv]',
      comm: 'sshd',
      uid: '0',
      user: 'root',
    });
  });

  it('is what the program is in the system log', async () => {
    const [seen] = await lookUp(readJournald, contain(entry), []);
    const services = ['syslog', 'sshd', 'auth'].map((service) => ({ product: 'linux', service }));
    expect(seen!.facts).toEqual([{ product: 'linux' }, ...services]);
  });

  it('is searched by keywords, but for its addresses', async () => {
    const [seen] = await lookUp(readJournald, contain(entry), []);
    expect(seen!.keywords).toContain(entry.MESSAGE);
    expect(seen!.keywords).toContain('sshd: root [priv]');
    expect(seen!.keywords).not.toContain('s=1;i=2');
  });
});

describe('the export format', () => {
  it('has values of several lines, and bytes, with their lengths', async () => {
    const fields = { __REALTIME_TIMESTAMP: '1', MESSAGE: 'one\n\ntwo=2\n', AFTER: 'x' };
    const { records, report } = await readAll(readJournald, Buffer.concat([exported(fields), exported(fields)]));
    expect(report).toEqual({ records: 2, problems: [] });
    expect(records[1]).toMatchObject({ MESSAGE: 'one\n\ntwo=2\n', AFTER: 'x' });
  });

  it('has names that repeat', async () => {
    const log = exported({ MESSAGE: 'x', OBJECT: ['a', 'b', 'c'] });
    expect((await lookUp(readJournald, log, ['OBJECT']))[0]!.fields).toEqual({ OBJECT: ['a', 'b', 'c'] });
    expect((await readAll(readJournald, log)).records[0]).toMatchObject({ OBJECT: ['a', 'b', 'c'] });
  });

  it('ends where it ends: an entry without its empty line is read, one that is cut as far as it goes', async () => {
    const log = exported({ __REALTIME_TIMESTAMP: '1', MESSAGE: 'whole' });
    expect((await readAll(readJournald, log.subarray(0, -1))).report).toEqual({ records: 1, problems: [] });
    const cut = await readAll(readJournald, log.subarray(0, -4));
    expect(cut.records[0]).toMatchObject({ MESSAGE: 'who' });
    expect(cut.report).toMatchObject({ records: 1, problems: [{ code: 'record-unfinished' }] });
  });

  it('counts what is no entry', async () => {
    const { report } = await readAll(readJournald, 'a=b\n\nMESSAGE=x\n\nc=d\n\n');
    expect(report).toMatchObject({ records: 1, problems: [{ code: 'record-malformed', count: 2 }] });
  });
});

describe('the journal as JSON', () => {
  it('has bytes, several values, null and numbers', async () => {
    const odd = { ...entry, MESSAGE: [...Buffer.from('hä\n')], OBJECT: ['a', [98], 'c'], GONE: null, N: 5 };
    const [seen] = await lookUp(readJournald, JSON.stringify(odd), ['MESSAGE', 'OBJECT', 'GONE', 'N']);
    expect(seen!.fields).toEqual({ MESSAGE: 'hä\n', OBJECT: ['a', 'b', 'c'], N: '5' });
  });

  it('has signed bytes in old versions', async () => {
    const bytes = [...Buffer.from('ä')].map((byte) => byte - 256);
    const [seen] = await lookUp(readJournald, JSON.stringify({ ...entry, MESSAGE: bytes }), ['MESSAGE']);
    expect(seen!.fields).toEqual({ MESSAGE: 'ä' });
  });
});
