import { describe, expect, it } from 'vitest';
import { lookUp, type Seen } from '../../testing/look-up.ts';
import { readAll } from '../../testing/read-all.ts';
import { readAuditd } from './read-auditd.ts';
import { socketAddress } from './socket-address.ts';
import { systemCallName } from './system-calls.ts';

const stamp = 'msg=audit(1700000000.123:42):';
const syscall = `type=SYSCALL ${stamp} arch=c000003e syscall=59 success=yes exit=0 a0=5611 a1=5622 a2=0 a3=8 items=2 ppid=10 pid=11 auid=1000 uid=0 tty=pts0 ses=2 comm="sh" exe="/usr/bin/dash" key=(null)`;
const execve = `type=EXECVE ${stamp} argc=3 a0="/bin/sh" a1="-c" a2=6563686F20E282AC`;
const cwd = `type=CWD ${stamp} cwd="/tmp"`;
const path = `type=PATH ${stamp} item=0 name="./drop" inode=1 nametype=CREATE`;
const proctitle = `type=PROCTITLE ${stamp} proctitle=2F62696E2F7368002D63006563686F20E282AC`;
const group = [syscall, execve, cwd, path, proctitle].join('\n');

async function one(log: string, ...names: string[]): Promise<Seen['fields']> {
  const [first] = await lookUp(readAuditd, log, names);
  return first!.fields;
}

async function byType(log: string, ...names: string[]): Promise<Record<string, Seen['fields']>> {
  const seen = await lookUp(readAuditd, log, ['type', ...names]);
  return Object.fromEntries(seen.map(({ fields, facts }) => [fields.type ?? facts[0]!.category, fields]));
}

describe('records of the audit daemon (A1)', () => {
  it('are events each, with their own type, time, serial and node', async () => {
    const { heads, records, report } = await readAll(readAuditd, `node=web1 ${syscall}\r\n${cwd}\n`);
    expect(report).toEqual({ records: 2, problems: [] });
    expect(heads[0]).toEqual({
      recordId: '42',
      timestamp: '2023-11-14T22:13:20.123Z',
      computer: 'web1',
      channel: null,
      eventId: 'SYSCALL',
    });
    expect(records[0]).toMatchObject({ type: 'SYSCALL', node: 'web1', exe: '/usr/bin/dash', _offset: 0 });
  });

  it('are linux and auditd', async () => {
    const [seen] = await lookUp(readAuditd, cwd, []);
    expect(seen!.facts).toEqual([{ product: 'linux' }, { product: 'linux', service: 'auditd' }]);
  });

  it.each([
    ['quoted, with blanks', 'a="b c" d=e', { a: 'b c', d: 'e' }],
    ['empty', 'a="" b= c=d', { a: '', b: '', c: 'd' }],
    ['a quote that never ends', 'a="b c', { a: 'b c' }],
    ['null as the kernel writes it', 'key=(null) tty=(none)', { key: '(null)', tty: '(none)' }],
    ['commas and words between', 'op=set, a=1, denied { read } for pid=2', { op: 'set', a: '1', pid: '2' }],
    ['the same name twice', 'old auid=1 new auid=2', { auid: ['1', '2'] }],
    ['pairs in a message', `pid=1 msg='op=login acct="root" res=failed'`, { pid: '1', acct: 'root', res: 'failed' }],
    ['the message itself', `msg='op=a res=b'`, { msg: 'op=a res=b' }],
    ['an apostrophe in a message', `msg='cmd="it's" res=ok'`, { cmd: `it's`, res: 'ok' }],
    [
      'brackets of old messages',
      `msg='PAM: (hostname=?, terminal=cron res=success)'`,
      { hostname: '?', res: 'success' },
    ],
    ['enriched, behind the separator', `uid=0 key=(null)\u001dUID="root"`, { uid: '0', UID: 'root', key: '(null)' }],
    ['enriched, behind a message', `msg='res=ok'\u001dUID="root"`, { res: 'ok', UID: 'root' }],
    ['names in other case', 'Exe=/bin/x', { exe: '/bin/x' }],
    ['in braces', 'saddr=00\u001dSADDR={ saddr_fam=inet laddr=10.0.0.1 lport=22 }', { laddr: '10.0.0.1', lport: '22' }],
    ['hex of a name', 'name=2F746D702F6120622063', { name: '/tmp/a b c' }],
    ['hex of a command', `msg='cmd=6C73202D6C'`, { cmd: 'ls -l' }],
    ['hex only without quotes', 'name="2F74"', { name: '2F74' }],
    ['numbers that look like hex', 'pid=1234 dev=FD00', { pid: '1234', dev: 'FD00' }],
  ])('%s', async (_, body, expected) => {
    expect(await one(`type=TEST ${stamp} ${body}`, ...Object.keys(expected))).toEqual(expected);
  });

  it('reads times and serials as far as they go', async () => {
    const stamps = ['1700000000.5:7', '1700000000', '', 'x:y', '1700000000.123:42'];
    const { heads } = await readAll(readAuditd, stamps.map((text) => `type=T msg=audit(${text}): a=1`).join('\n'));
    expect(heads.map(({ timestamp, recordId }) => [timestamp, recordId])).toEqual([
      ['2023-11-14T22:13:20.500Z', '7'],
      [null, null],
      [null, null],
      [null, null],
      ['2023-11-14T22:13:20.123Z', '42'],
    ]);
  });

  it('finds records that the kernel or a dispatcher has put in other logs, and reads those too', async () => {
    const log = [
      'Nov 14 22:13:20 web1 kernel: audit: type=1400 audit(1700000000.080:7): apparmor="DENIED" comm="x"',
      `Nov 14 22:13:21 web1 audispd: node=web2 type=USER_CMD ${stamp} a=1`,
      'Nov 14 22:13:22 web1 sshd[1]: Server listening on :: port 22.',
      'no log at all',
    ];
    const { records, report } = await readAll(readAuditd, log.join('\n'));
    // Records wait for their siblings, messages do not.
    expect(records).toMatchObject([
      { program: 'sshd' },
      { type: 'AVC', comm: 'x', apparmor: 'DENIED' },
      { type: 'USER_CMD', node: 'web2' },
    ]);
    expect(report).toMatchObject({ records: 3, problems: [{ code: 'not-an-audit-record', count: 1 }] });
  });
});

describe('arguments of EXECVE', () => {
  it('are decoded, one by one', async () => {
    expect((await byType(group, 'a0', 'a1', 'a2')).EXECVE).toMatchObject({ a0: '/bin/sh', a1: '-c', a2: 'echo €' });
  });

  it('are register values in SYSCALL', async () => {
    expect((await byType(group, 'a0', 'a1')).SYSCALL).toMatchObject({ a0: '5611', a1: '5622' });
  });

  it('are joined from their pieces, even over several records', async () => {
    const log = [`type=EXECVE ${stamp} argc=3 a0="x" a1_len=6 a1[0]=C3`, `type=EXECVE ${stamp} a1[1]=A44142 a2="end"`];
    const seen = await lookUp(readAuditd, log.join('\n'), ['a0', 'a1', 'a2', 'CommandLine']);
    expect(seen.map(({ fields }) => fields)).toEqual([
      { a0: 'x', a1: 'äAB', a2: 'end' },
      { a0: 'x', a1: 'äAB', a2: 'end' },
      { a0: 'x', a1: 'äAB', a2: 'end', CommandLine: 'x äAB end' },
    ]);
  });
});

describe('what siblings lend', () => {
  it('is seen where the record itself has nothing of that name, in the order of the types', async () => {
    const seen = await byType(group, 'exe', 'cwd', 'name', 'proctitle', 'a0', 'argc', 'pid');
    expect(seen.PATH).toMatchObject({ exe: '/usr/bin/dash', cwd: '/tmp', a0: '5611', argc: '3', pid: '11' });
    expect(seen.SYSCALL).toMatchObject({ name: './drop', proctitle: '/bin/sh -c echo €' });
    expect(seen.EXECVE).toMatchObject({ a0: '/bin/sh', exe: '/usr/bin/dash' });
  });

  it('is the first record of a type that has the name', async () => {
    const second = path.replace('item=0 name="./drop"', 'item=1 name="/b" extra=1');
    const seen = await byType([syscall, path, second].join('\n'), 'name', 'extra');
    expect(seen.SYSCALL).toMatchObject({ name: './drop', extra: '1' });
  });

  it('reaches records that come mixed with those of other events', async () => {
    const other = cwd.replace(':42)', ':43)').replace('/tmp', '/other');
    const seen = await lookUp(readAuditd, [syscall, other, cwd, path].join('\n'), ['type', 'cwd', 'exe']);
    expect(seen.map(({ fields }) => fields)).toContainEqual({ type: 'PATH', cwd: '/tmp', exe: '/usr/bin/dash' });
    expect(seen.map(({ fields }) => fields)).toContainEqual({ type: 'CWD', cwd: '/other' });
  });

  it.each([
    ['63 later events', 63, 0, true],
    ['no more than 63 later events', 64, 0, false],
    ['two seconds', 1, 2000, true],
    ['more than two seconds', 1, 2001, false],
  ])('waits for %s', async (_, count, milliseconds, isTogether) => {
    const later = Array.from({ length: count }, (__, i) => {
      return `type=X msg=audit(${((1_700_000_000_123 + milliseconds) / 1000).toFixed(3)}:${100 + i}): a=1`;
    });
    const seen = await lookUp(readAuditd, [syscall, ...later, cwd].join('\n'), ['type', 'cwd']);
    const first = seen.find(({ fields }) => fields.type === 'SYSCALL');
    expect(first!.fields.cwd).toBe(isTogether ? '/tmp' : undefined);
  });

  it('is told apart by node', async () => {
    const seen = await lookUp(readAuditd, `node=a ${syscall}\nnode=b ${cwd}`, ['type', 'cwd', 'node']);
    expect(seen[0]!.fields).toEqual({ type: 'SYSCALL', node: 'a' });
  });
});

describe('names of system calls', () => {
  it.each([
    ['c000003e', 59, 'execve', 'x86_64'],
    ['c000003e', 103, 'syslog', 'x86_64'],
    ['c000003e', 133, 'mknod', 'x86_64'],
    ['c000003e', 319, 'memfd_create', 'x86_64'],
    ['40000003', 11, 'execve', 'i386'],
    ['40000003', 116, 'sysinfo', 'i386'],
    ['40000003', 358, 'execveat', 'i386'],
    ['c00000b7', 221, 'execve', 'aarch64'],
    ['c00000b7', 33, 'mknodat', 'aarch64'],
    ['c00000b7', 203, 'connect', 'aarch64'],
  ])('%s %i is %s', async (arch, number, name, machine) => {
    const log = `type=SYSCALL ${stamp} arch=${arch} syscall=${number} success=yes`;
    expect(await one(log, 'SYSCALL', 'ARCH', 'syscall')).toEqual({
      SYSCALL: name,
      ARCH: machine,
      syscall: String(number),
    });
  });

  it('come from the enriched part where it has them', async () => {
    const log = `type=SYSCALL ${stamp} arch=c000003e syscall=59\u001dARCH=x86_64 SYSCALL=enriched`;
    expect(await one(log, 'SYSCALL')).toEqual({ SYSCALL: 'enriched' });
  });

  it('are unknown for other numbers and machines', () => {
    expect(systemCallName('c000003e', '9999')).toBeUndefined();
    expect(systemCallName('0', '1')).toBeUndefined();
  });
});

describe('what records say together', () => {
  const taxonomy = [
    'Image',
    'CommandLine',
    'ParentProcessId',
    'ProcessId',
    'User',
    'CurrentDirectory',
    'TargetFilename',
  ];

  it('is a process started, once per event', async () => {
    const seen = await lookUp(readAuditd, group, taxonomy);
    const started = seen.filter(({ facts }) => facts[0]!.category === 'process_creation');
    expect(started).toMatchObject([
      {
        facts: [{ product: 'linux', category: 'process_creation', service: 'auditd' }],
        fields: {
          Image: '/usr/bin/dash',
          CommandLine: '/bin/sh -c echo €',
          ParentProcessId: '10',
          ProcessId: '11',
          User: '1000',
          CurrentDirectory: '/tmp',
        },
      },
    ]);
  });

  it('has the arguments for want of a title, or where the title was cut', async () => {
    const long = `a${'b'.repeat(140)}`;
    const cut = `type=PROCTITLE ${stamp} proctitle=${Buffer.from(`sh\0${long}`).subarray(0, 127).toString('hex').toUpperCase()}`;
    const given = `type=EXECVE ${stamp} argc=2 a0="sh" a1="${long}"`;
    expect((await byType([syscall, execve].join('\n'), 'CommandLine')).process_creation).toMatchObject({
      CommandLine: '/bin/sh -c echo €',
    });
    expect((await byType([syscall, given, cut].join('\n'), 'CommandLine')).process_creation).toMatchObject({
      CommandLine: `sh ${long}`,
    });
  });

  it('is no process where the call failed and there are no arguments', async () => {
    expect(await byType(syscall.replace('success=yes', 'success=no'))).not.toHaveProperty('process_creation');
    expect(await byType(syscall)).toHaveProperty('process_creation');
  });

  it('names the user in words where the daemon has', async () => {
    const seen = await byType(`${syscall}\u001dAUID="alice"\n${execve}`, 'User');
    expect(seen.process_creation).toEqual({ User: 'alice' });
  });

  it.each([
    ['./drop', '/tmp/drop'],
    ['a/b', '/tmp/a/b'],
    ['/etc/cron.d/x', '/etc/cron.d/x'],
  ])('is the file %s created: %s', async (name, target) => {
    const seen = await lookUp(readAuditd, group.replace('./drop', name), ['TargetFilename', 'Image']);
    expect(seen.filter(({ facts }) => facts[0]!.category === 'file_event')).toMatchObject([
      { fields: { TargetFilename: target, Image: '/usr/bin/dash' } },
    ]);
  });

  it('is no file where none was created', async () => {
    expect(await byType(group.replace('CREATE', 'NORMAL'))).not.toHaveProperty('file_event');
    expect(await byType(group.replace('nametype', 'objtype'))).toHaveProperty('file_event');
  });

  it.each([
    [42, 'true'],
    [43, 'false'],
    [288, 'false'],
    [44, undefined],
  ])('is a connection, if the call %i makes one', async (call, initiated) => {
    const log = `${syscall.replace('syscall=59', `syscall=${call}`)}\ntype=SOCKADDR ${stamp} saddr=0200115C0A0000FE0000000000000000`;
    const seen = await byType(log, 'DestinationIp', 'DestinationPort', 'Initiated', 'Image');
    expect(seen.network_connection).toEqual(
      initiated && {
        DestinationIp: '10.0.0.254',
        DestinationPort: '4444',
        Initiated: initiated,
        Image: '/usr/bin/dash',
      },
    );
  });

  it('does not count as a record', async () => {
    const { report, records } = await readAll(readAuditd, group);
    expect([report.records, records.length]).toEqual([5, 7]);
  });
});

describe('socket addresses', () => {
  it.each([
    ['02000050A9FEA9FE0000000000000000', { ip: '169.254.169.254', port: 80 }],
    ['0A000016000000000000000000000000000000000000000000000000', { ip: '::', port: 22 }],
    ['0A0001BB0000000020010DB8000000000000000000000001', { ip: '2001:db8::1', port: 443 }],
    ['0A0001BB0000000020010DB8000100020003000400050006', { ip: '2001:db8:1:2:3:4:5:6', port: 443 }],
    ['0A0001BB0000000000000000000000000000FFFF0A000001', { ip: '::ffff:10.0.0.1', port: 443 }],
    ['01002F7661722F72756E2F6E7363642F736F636B6574', undefined],
    ['0200', undefined],
    ['', undefined],
  ])('%s', (saddr, expected) => {
    expect(socketAddress(saddr)).toEqual(expected);
  });
});

describe('keywords of a record', () => {
  it('are the line as it stands, and what is decoded of it', async () => {
    const [seen] = await lookUp(readAuditd, execve, []);
    expect(seen!.keywords).toEqual([execve, 'echo €']);
  });
});
