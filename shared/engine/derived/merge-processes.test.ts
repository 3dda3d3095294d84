import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinProcesses, joinTolerance, sameProcess, type LoggedProcess } from './join-processes.ts';
import { hostTree, type KnownProcess, type LogProcesses, mergeProcesses, type MergedNode } from './merge-processes.ts';

const base = Date.parse('2026-08-01T09:00:00Z');
const timeOf = (ms: number): string => new Date(base + ms).toISOString().replace('T', ' ').replace('Z', '');

function known(over: Partial<KnownProcess>): KnownProcess {
  return {
    guid: '',
    pid: '',
    image: 'cmd.exe',
    image_full: 'C:\\Windows\\cmd.exe',
    image_alts: [],
    cmdline: '',
    user: '',
    time: '',
    computer: 'WS1.example.org',
    hashes: [],
    hit: true,
    parent_pid: '',
    children: [],
    ...over,
  };
}

const log = (number: number, roots: readonly KnownProcess[], clockOffset = 0): LogProcesses => ({
  log: number,
  clockOffset,
  roots,
});

/** `a.exe@1+2(b.exe@1)`: what each is told by; what was inferred in brackets, doubts behind a question mark. */
function outline(nodes: readonly MergedNode[]): string {
  return nodes
    .map(({ image, logs, doubts, hit, children }) => {
      const name = hit ? `${image}@${logs.join('+')}` : `[${image}]`;
      const doubt = doubts.length === 0 ? '' : `?${doubts.join('+')}`;
      return `${name}${doubt}${children.length > 0 ? `(${outline(children)})` : ''}`;
    })
    .join(',');
}
const outlines = (logs: readonly LogProcesses[]): Record<string, string> =>
  Object.fromEntries(mergeProcesses(logs).map((host) => [host.host, outline(hostTree(host).roots)]));

describe('what two logs tell of one process', () => {
  const sysmon = { guid: '{1}', pid: '42', parent_pid: '7', time: timeOf(5000), cmdline: 'cmd /c  whoami' };
  const security = { pid: '42', parent_pid: '7', time: timeOf(5040), cmdline: 'cmd /c whoami' };
  it.each<[string, Partial<KnownProcess>, string]>([
    ['the same start', {}, 'cmd.exe@1+2'],
    ['no command line', { cmdline: '' }, 'cmd.exe@1+2'],
    ['another command line', { cmdline: 'cmd /c hostname' }, 'cmd.exe@1,cmd.exe@2'],
    ['another number', { pid: '43' }, 'cmd.exe@1,cmd.exe@2'],
    ['another parent', { parent_pid: '8' }, 'cmd.exe@1,cmd.exe@2'],
    ['no parent', { parent_pid: '' }, 'cmd.exe@1+2?parent'],
    ['another program', { image: 'net.exe' }, 'cmd.exe@1,net.exe@2'],
    ['another folder', { image_full: 'D:\\cmd.exe' }, 'cmd.exe@1+2?path'],
    ['as late as it may be', { time: timeOf(7000) }, 'cmd.exe@1+2'],
    ['later', { time: timeOf(7001) }, 'cmd.exe@1+2?clock'],
    ['much later', { time: timeOf(65_001) }, 'cmd.exe@1,cmd.exe@2'],
    ['no time', { time: '' }, 'cmd.exe@1+2?time'],
    ['the same GUID at any time', { guid: '{1}', time: timeOf(900_000) }, 'cmd.exe@1+2'],
    ['another GUID', { guid: '{2}' }, 'cmd.exe@1,cmd.exe@2'],
    ['the name of the host alone', { computer: 'ws1' }, 'cmd.exe@1+2'],
  ])('with %s', (_name, over, expected) => {
    expect(outlines([log(1, [known(sysmon)]), log(2, [known({ ...security, ...over })])])).toEqual({
      'WS1.example.org': expected,
    });
  });

  it('is told apart by host, of which a short name may be either', () => {
    const on = (number: number, computer: string) => log(number, [known({ ...security, computer })]);
    expect(
      outlines([on(1, 'dc.a.example'), on(2, 'DC.A.example'), on(3, 'dc.b.example'), on(4, 'dc'), on(5, '')]),
    ).toEqual({
      '': 'cmd.exe@5',
      dc: 'cmd.exe@4',
      'DC.A.example': 'cmd.exe@1+2',
      'dc.b.example': 'cmd.exe@3',
    });
    expect(Object.keys(outlines([on(1, '10.0.0.1'), on(2, '10')]))).toEqual(['10', '10.0.0.1']);
  });

  it('is joined within a log that has both, and never with another of its own sort', () => {
    expect(outlines([log(1, [known(sysmon), known(security)])])).toEqual({ 'WS1.example.org': 'cmd.exe@1' });
    expect(outlines([log(1, [known(security), known({ ...security, time: timeOf(5100) })])])).toEqual({
      'WS1.example.org': 'cmd.exe@1,cmd.exe@1',
    });
  });

  it('is in doubt where another could be the same', () => {
    const twice = [known(security), known({ ...security, time: timeOf(5900) })];
    expect(outlines([log(1, [known(sysmon)]), log(2, twice)])).toEqual({
      'WS1.example.org': 'cmd.exe@1+2?several,cmd.exe@2',
    });
  });

  it('stands under its parent, whichever log tells of that', () => {
    const parent = known({
      pid: '7',
      parent_pid: '1',
      image: 'explorer.exe',
      image_full: 'C:\\explorer.exe',
      time: timeOf(1000),
    });
    const ancestor = known({
      guid: '{0}',
      pid: '7',
      image: 'explorer.exe',
      image_full: 'C:\\explorer.exe',
      hit: false,
    });
    const child = known({ ...sysmon, findings: [9, 4] });
    const logs = [
      log(1, [{ ...ancestor, children: [child] }]),
      log(2, [{ ...parent, children: [known({ ...security, findings: [11] })] }], 0),
      // Its clock was ahead by an hour and a half.
      log(3, [known({ ...security, time: timeOf(5_400_000 + 5000) })], 5400),
    ];
    expect(outlines(logs)).toEqual({ 'WS1.example.org': 'explorer.exe@2(cmd.exe@1+2+3)' });
    const [host] = mergeProcesses(logs);
    expect(hostTree(host!).roots[0]!.children[0]).toMatchObject({
      guid: '{1}',
      findings: [4, 9, 11],
      time: timeOf(5000),
    });
  });

  it('is cut at what the tree of one log holds', () => {
    const many = Array.from({ length: 2100 }, (_, nth) => known({ pid: String(nth), time: timeOf(nth * 1000) }));
    const [host] = mergeProcesses([log(1, many)]);
    const { stats, roots } = hostTree(host!);
    expect([stats.truncated, stats.hits, roots[0]!.pid, roots.at(-1)!.pid]).toEqual([true, 2000, '0', '1999']);
  });
});

/** Starts of few numbers and programs, so that many may be the same. */
const arbitraryLogged = fc.record({
  log: fc.integer({ min: 1, max: 4 }),
  guid: fc.constantFrom('', '', '{1}', '{2}', '{3}'),
  pid: fc.constantFrom('', '4', '8'),
  parentPid: fc.constantFrom('', '1', '2'),
  image: fc.constantFrom('a.exe', 'b.exe'),
  imageFull: fc.constantFrom('C:\\a.exe', 'a.exe', 'D:\\a.exe'),
  commandLine: fc.constantFrom('', 'x', 'x  y', 'x y'),
  start: fc.option(fc.integer({ min: 0, max: 80_000 }), { freq: 8 }),
});
const keyOf = (one: LoggedProcess): string => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
const shapeOf = (logged: readonly LoggedProcess[]) =>
  joinProcesses(logged)
    .map(({ of, doubts }) => `${of.map(keyOf).sort().join(' ')} ${doubts.join()}`)
    .sort();

describe('joining', () => {
  it('has each once, joins only what may be the same, leaves no sure pair that fits, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(arbitraryLogged, { maxLength: 14 }), fc.integer(), (logged, seed) => {
        const joined = joinProcesses(logged);
        const all = joined.flatMap(({ of }) => of);
        expect(all).toHaveLength(logged.length);
        expect(new Set(all).size).toBe(logged.length);
        for (const [nth, { of, doubts }] of joined.entries()) {
          for (const a of of) {
            for (const b of of) {
              if (a === b) continue;
              const between = sameProcess(a, b);
              expect(between).not.toBeNull();
              expect(doubts).toEqual(expect.arrayContaining(between!));
            }
          }
          // Two that could be one are one.
          for (const other of joined.slice(nth + 1)) {
            const fits = of.every((a) => other.of.every((b) => sameProcess(a, b)?.length === 0));
            expect(fits).toBe(false);
          }
        }
        const shuffled = logged
          .map((one, nth) => [Math.sin(seed + nth), one] as const)
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect(shapeOf(shuffled)).toEqual(shapeOf(logged));
      }),
      { numRuns: 400 },
    );
  });

  it('finds every process that Sysmon and Security both tell of, behind clocks that are corrected', () => {
    const real = fc.record({
      pid: fc.integer({ min: 1, max: 3 }),
      gap: fc.integer({ min: joinTolerance.doubtful * 2 + 1, max: 400_000 }),
      apart: fc.integer({ min: -joinTolerance.sure, max: joinTolerance.sure }),
      told: fc.constantFrom('both', 'sysmon', 'security'),
      hasLine: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(real, { maxLength: 30 }), fc.integer({ min: -90_000, max: 90_000 }), (processes, ahead) => {
        let at = 1_000_000;
        const [sysmon, security]: [KnownProcess[], KnownProcess[]] = [[], []];
        const expected: string[] = [];
        for (const [nth, { pid, gap, apart, told, hasLine }] of processes.entries()) {
          at += gap;
          const own = { pid: String(pid), parent_pid: '4', cmdline: `run ${nth}` };
          if (told !== 'security') sysmon.push(known({ ...own, guid: `{${nth}}`, time: timeOf(at) }));
          if (told !== 'sysmon')
            security.push(
              known({
                ...own,
                ...(!hasLine && { cmdline: '' }),
                time: timeOf(at + apart + ahead * 1000),
                computer: 'ws1',
              }),
            );
          expected.push(told === 'both' ? '1+2' : told === 'sysmon' ? '1' : '2');
        }
        const [host] = mergeProcesses([log(2, security, ahead), log(1, sysmon)]);
        const found = host?.processes.toSorted((a, b) => a.of[0]!.start! - b.of[0]!.start!) ?? [];
        expect(
          found.map(({ of }) =>
            of
              .map((one) => one.log)
              .sort((a, b) => a - b)
              .join('+'),
          ),
        ).toEqual(expected);
        expect(found.flatMap(({ doubts }) => doubts)).toEqual([]);
      }),
    );
  });
});
