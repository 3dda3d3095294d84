import { describe, expect, it } from 'vitest';
import type { EventHead, OutputRecord } from '../events/log-event.ts';
import { readAuditd } from '../readers/auditd/read-auditd.ts';
import { readAll } from '../testing/read-all.ts';
import { ProcessEvents, processOf } from './process-events.ts';
import { type ProcessNode, type ProcessTree, processTree } from './process-tree.ts';

const head: EventHead = { recordId: '1', timestamp: null, computer: 'WS01', channel: null, eventId: '1' };

function sysmon(guid: string, parent: string | null, more: OutputRecord = {}): OutputRecord {
  return {
    ProcessGuid: `{${guid}}`,
    Image: `C:\\x\\${guid}.exe`,
    ...(parent !== null && { ParentProcessGuid: `{${parent}}` }),
    ...more,
  };
}

function security(pid: number, image: string, parentPid: number, parentImage?: string): OutputRecord {
  const parent = parentImage === undefined ? {} : { ParentProcessName: parentImage };
  return {
    NewProcessId: `0x${pid.toString(16)}`,
    NewProcessName: image,
    ProcessId: `0x${parentPid.toString(16)}`,
    ...parent,
  };
}

function treeOf(...events: (readonly [Partial<EventHead>, OutputRecord])[]): ProcessTree {
  const all = new ProcessEvents();
  for (const [index, [own, record]] of events.entries()) {
    const event = processOf({ ...head, ...own }, record, [index % 3], index);
    if (event !== null) all.add(event);
  }
  return processTree(all.events(), all.isTruncated);
}

/** `a.exe(b.exe,c.exe)`; what was inferred in brackets. */
function outline(nodes: readonly ProcessNode[]): string {
  return nodes
    .map(
      ({ image, hit, children }) =>
        (hit ? image : `[${image}]`) + (children.length > 0 ? `(${outline(children)})` : ''),
    )
    .join(',');
}

describe('parents', () => {
  it('are found by their GUID, whatever the order of events', () => {
    const tree = treeOf([{}, sysmon('c', 'b')], [{}, sysmon('b', 'a')], [{}, sysmon('a', null)]);
    expect(outline(tree.roots)).toBe('a.exe(b.exe(c.exe))');
    expect(tree.stats).toMatchObject({ processes: 3, hits: 3, inferred: 0, roots: 1 });
  });

  it('are inferred once for all children that tell of them', () => {
    const parent = { ParentImage: 'C:\\x\\p.exe', ParentCommandLine: 'p /x' };
    const tree = treeOf([{}, sysmon('a', 'p', parent)], [{}, sysmon('b', 'p', parent)], [{}, sysmon('c', 'q')]);
    expect(outline(tree.roots)).toBe('[p.exe](a.exe,b.exe),[unknown ancestor](c.exe)');
    expect(tree.roots[0]).toMatchObject({ cmdline: 'p /x', hit: false, computer: 'WS01' });
  });

  it('of rows of advanced hunting are those that started them', () => {
    const row = (pid: number, name: string, parentPid: number, parent: string): OutputRecord => ({
      ActionType: 'ProcessCreated',
      FileName: name,
      FolderPath: `C:\\x\\${name}`,
      ProcessId: pid,
      ProcessCommandLine: `${name} /x`,
      ProcessCreationTime: `2026-08-01T09:00:0${pid}Z`,
      SHA1: 'AB'.repeat(20),
      InitiatingProcessId: parentPid,
      InitiatingProcessFileName: parent,
      InitiatingProcessFolderPath: `C:\\x\\${parent}`,
    });
    const started = { eventId: 'ProcessCreated', channel: 'Defender for Endpoint' };
    const tree = treeOf(
      [started, row(2, 'cmd.exe', 1, 'winword.exe')],
      [started, row(3, 'whoami.exe', 2, 'cmd.exe')],
      [{ ...started, eventId: 'FileCreated' }, row(4, 'net.exe', 2, 'cmd.exe')],
    );
    expect(outline(tree.roots)).toBe('[winword.exe](cmd.exe(whoami.exe))');
    expect(tree.roots[0]!.children[0]).toMatchObject({ cmdline: 'cmd.exe /x', computer: 'WS01' });
  });

  it('are the latest with their number before the child, of the same computer and program', () => {
    const at = (time: string, computer = 'WS01') => ({ eventId: '4688', timestamp: `2026-08-01T${time}Z`, computer });
    const tree = treeOf(
      [at('09:00:00'), security(100, 'C:\\x\\cmd.exe', 4)],
      [at('09:10:00'), security(100, 'C:\\x\\cmd.exe', 8)],
      [at('09:20:00'), security(100, 'C:\\x\\cmd.exe', 12)],
      [at('09:05:00', 'WS02'), security(100, 'C:\\x\\cmd.exe', 4)],
      [at('09:11:00'), security(100, 'C:\\x\\notepad.exe', 4)],
      [at('09:15:00'), security(200, 'C:\\x\\whoami.exe', 100, 'C:\\x\\cmd.exe')],
    );
    const parent = tree.roots.find(({ children }) => children.length > 0);
    expect(parent).toMatchObject({ image: 'cmd.exe', pid: '100', time: '2026-08-01 09:10:00', computer: 'WS01' });
  });

  it('are found by their number where their own event has no GUID', () => {
    const child = { ParentProcessId: 100, ParentImage: 'C:\\x\\cmd.exe', UtcTime: '2026-08-01 09:00:01.0' };
    const at = { eventId: '4688', timestamp: '2026-08-01T09:00:00Z' };
    const named = { PGUID: '{other}', PID: 100, Image: 'C:\\x\\cmd.exe' };
    const security4688 = [at, security(100, 'C:\\x\\cmd.exe', 4)] as const;
    expect(outline(treeOf(security4688, [{}, sysmon('a', 'p', child)]).roots)).toBe('cmd.exe(a.exe)');
    expect(outline(treeOf([{}, named], [{}, sysmon('a', 'p', child)]).roots)).toBe('[cmd.exe](a.exe),cmd.exe');
  });

  it('are found in events with abbreviated names', () => {
    const parent = { PGUID: '{p}', Proc: 'C:\\x\\p.exe', Cmdline: 'p /x', PID: 100 };
    const child = { PGUID: '{c}', Proc: 'C:\\x\\c.exe', ParentPGUID: '{p}', ParentPID: 100 };
    const security4688 = { Proc: 'C:\\x\\d.exe', Cmdline: 'd', PID: '0x65', ParentPID: '0x64' };
    const { roots } = treeOf([{}, parent], [{}, child], [{ eventId: '4688' }, security4688]);
    expect(outline(roots)).toBe('p.exe(c.exe,d.exe)');
    expect(roots[0]).toMatchObject({ cmdline: 'p /x', pid: '100' });
  });

  it('are nobody when nothing tells who', () => {
    expect(outline(treeOf([{ eventId: '4688' }, security(200, 'C:\\x\\a.exe', 100)]).roots)).toBe('a.exe');
  });
});

it('reads records of auditd, and no other events', () => {
  const tree = treeOf(
    [
      { eventId: null, timestamp: '2026-08-01T09:00:00.5Z' },
      { pid: '7', ppid: '1', exe: '/usr/bin/bash', proctitle: 'bash' },
    ],
    [
      { eventId: null, timestamp: '2026-08-01T09:00:01Z' },
      { pid: '8', ppid: '7', comm: 'curl', exe: '/usr/bin/curl' },
    ],
    [{ eventId: '3' }, { Image: 'C:\\x\\a.exe', ProcessGuid: '{a}' }],
    [{ eventId: '1', channel: 'System' }, { Image: 'C:\\x\\a.exe' }],
  );
  expect(outline(tree.roots)).toBe('bash(curl)');
});

it('reads what auditd’s reader makes of its log', async () => {
  const started = (serial: number, pid: number, ppid: number, name: string, argument: string) => {
    const stamp = `msg=audit(17000000${serial}.5:${serial}):`;
    return `type=SYSCALL ${stamp} arch=c000003e syscall=59 success=yes ppid=${ppid} pid=${pid} auid=1000 comm="${name}" exe="/usr/bin/${name}"
type=EXECVE ${stamp} argc=2 a0="${name}" a1="${argument}"
type=CWD ${stamp} cwd="/tmp"
`;
  };
  const log = started(10, 71, 1, 'bash', 'x.sh') + started(11, 72, 71, 'curl', 'http://x');
  const { heads, records } = await readAll(readAuditd, log);
  const { roots, stats } = treeOf(...heads.map((own, at) => [own, records[at]!] as const));
  expect(outline(roots)).toBe('bash(curl)');
  expect(stats).toMatchObject({ processes: 2, hits: 2 });
  expect(roots[0]).toMatchObject({ pid: '71', image_full: '/usr/bin/bash', cmdline: 'bash x.sh', user: '1000' });
});

it('takes all that auditd tells of a process as one', () => {
  const at = (second: number): Partial<EventHead> => {
    return { eventId: 'SYSCALL', timestamp: `2026-08-01T09:00:0${second}Z` };
  };
  const daemon = { pid: '7', exe: '/usr/sbin/sshd' };
  const { roots } = treeOf(
    [at(1), { pid: '1', exe: '/usr/lib/systemd/systemd' }],
    [at(3), daemon],
    [at(2), { ...daemon, ppid: '1' }],
    [at(4), { ...daemon, proctitle: 'sshd: root' }],
    [at(5), { pid: '7', ppid: '1', exe: '/usr/bin/bash' }],
  );
  expect(outline(roots)).toBe('systemd(sshd,bash)');
  expect(roots[0]?.children[0]).toMatchObject({ time: '2026-08-01 09:00:02', cmdline: 'sshd: root' });
});

it('keeps other names of a program, hashes without algorithm, and one node for one process', () => {
  const record = sysmon('a', null, {
    OriginalFileName: 'Mimikatz.EXE',
    Hashes: `MD5=${'ab'.repeat(16)},IMPHASH=${'0'.repeat(32)}`,
    UtcTime: '2026-08-01 09:12:04.1',
  });
  const { roots } = treeOf([{}, record], [{}, record]);
  expect(roots).toMatchObject([
    { image_alts: ['mimikatz.exe'], hashes: ['AB'.repeat(16)], time: '2026-08-01 09:12:04.1' },
  ]);
});

it('cuts a circle at the child that closes it', () => {
  expect(outline(treeOf([{}, sysmon('a', 'b')], [{}, sysmon('b', 'a')]).roots)).toBe('b.exe(a.exe)');
});

it('makes roots of what lies too deep, and drops nothing', () => {
  const chain = Array.from({ length: 250 }, (_, index) => [{}, sysmon(`n${index + 1}`, `n${index}`)] as const);
  const { roots, stats } = treeOf([{}, sysmon('n0', null)], ...chain);
  expect(stats).toMatchObject({ processes: 251, roots: 3, depth_capped: true, truncated: false });
  expect(roots).toHaveLength(3);
});

it('stops at 2,000 processes, and says so', () => {
  const many = Array.from({ length: 2100 }, (_, index) => [{}, sysmon(`n${index}`, null)] as const);
  expect(treeOf(...many).stats).toMatchObject({ processes: 2000, truncated: true });
});

it('tells which rules matched the events of a process, each once', () => {
  const events = ['a', 'b', 'a', 'a', 'b'].map((guid) => [{}, sysmon(guid, guid === 'a' ? null : 'a')] as const);
  const [root] = treeOf(...events).roots;
  expect([root!.rules, root!.children.map(({ rules }) => rules)]).toEqual([[0, 2], [[1]]]);
});
