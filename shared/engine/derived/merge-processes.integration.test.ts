import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { analyze } from '../analyze.ts';
import { EvtxEvent } from '../readers/evtx/evtx-event.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { eventJson } from '../readers/evtx/render-json.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { freshTables, sourceOf } from '../testing/read-all.ts';
import { mergeProcesses } from './merge-processes.ts';

const { rules } = loadRules([
  {
    path: 'rules.yml',
    text: `title: Started
level: low
logsource: {product: windows}
detection: {a: {EventID: [1, 4688]}, condition: a}
`,
  },
]);

const none: readonly string[] = [];
const fields = {
  user: none,
  computer: none,
  ip: none,
  hash: none,
  executable: none,
  domain: none,
  command_line: none,
  service: none,
  task: none,
};

/** A start as its record says it, read without the engine's rules for processes. */
interface Start {
  readonly log: number;
  readonly isSysmon: boolean;
  readonly guid: string;
  readonly pid: number;
  readonly parentPid: number;
  readonly image: string;
  readonly line: string;
  readonly at: number;
  readonly host: string;
}

describeWithSharedData('processes of many logs', () => {
  it('of every EVTX are joined as a plain reading of their records joins them', { timeout: 600_000 }, async () => {
    const names = readdirSync(sharedData(), { recursive: true, encoding: 'utf8' });
    // Twice, as many a file is handed in.
    const files = names.flatMap((name) => (name.endsWith('.evtx') ? [name, name] : []));
    const logs = [];
    const starts: Start[] = [];
    for (const [log, file] of files.entries()) {
      const bytes = readFileSync(sharedData(file));
      const derive = {
        groups: ['Started'],
        entities: { fields, ignoredUsers: [], commandLineExtensions: [] },
        threats: [],
      };
      const { derived } = await analyze(sourceOf(bytes), { rules, logType: 'evtx', maxSamples: 1, derive });
      logs.push({ log, clockOffset: 0, roots: derived!.processes.roots });
      starts.push(...(await startsOf(bytes, log)));
    }
    const found = new Map<string, number>();
    let [several, serial] = [0, 0];
    for (const { host, processes } of mergeProcesses(logs)) {
      for (const { of, doubts } of processes) {
        serial += 1;
        if (new Set(of.map(({ log }) => log)).size > 1 || of.length > 1) several += 1;
        for (const one of of) found.set(keyOf({ ...one, host, pid: Number(one.pid), at: one.start ?? 0 }), serial);
        expect(doubts).not.toContain('time');
      }
    }
    // Of one log the same start may be there twice.
    const all = new Map(starts.map((start) => [keyOf(start), start]));
    const sets = new Map<number, Start[]>();
    for (const [key, start] of all) {
      const process = found.get(key);
      expect([key, process]).toEqual([key, expect.any(Number)]);
      sets.set(process!, [...(sets.get(process!) ?? []), start]);
    }
    let pairs = 0;
    for (const [at, [process, some]] of [...sets].entries()) {
      for (const a of some) for (const b of some) expect(a === b || couldBe(a, b) !== 'no').toBe(true);
      for (const [other, others] of [...sets].slice(at + 1)) {
        if (some[0]!.host !== others[0]!.host || some[0]!.pid !== others[0]!.pid) continue;
        pairs += 1;
        const isOne = some.every((a) => others.every((b) => couldBe(a, b) === 'yes'));
        expect([process, other, isOne]).toEqual([process, other, false]);
      }
    }
    expect(files.length).toBeGreaterThan(35);
    expect(all.size).toBeGreaterThan(100);
    expect(several).toBeGreaterThan(50);
    expect(pairs).toBeGreaterThan(0);
  });
});

function couldBe(a: Start, b: Start): 'yes' | 'perhaps' | 'no' {
  if (a.host !== b.host) return 'no';
  if (a.isSysmon && b.isSysmon) return a.guid === b.guid ? 'yes' : 'no';
  if (a.log === b.log && a.isSysmon === b.isSysmon) return 'no';
  const name = (path: string): string => path.slice(path.lastIndexOf('\\') + 1);
  const words = (line: string): string => line.split(/\s+/).filter(Boolean).join(' ');
  if (a.pid !== b.pid || a.parentPid !== b.parentPid || name(a.image) !== name(b.image)) return 'no';
  if (a.line !== '' && b.line !== '' && words(a.line) !== words(b.line)) return 'no';
  const apart = Math.abs(a.at - b.at);
  if (apart > 60_000) return 'no';
  return apart <= 2000 && a.image === b.image ? 'yes' : 'perhaps';
}

function keyOf({ log, guid, pid, at }: Pick<Start, 'log' | 'guid' | 'pid' | 'at'> & { host: string }): string {
  return guid === '' ? `${log} ${pid} ${at}` : `${log} ${guid}`;
}

interface RawEvent {
  readonly Event: {
    readonly System: {
      readonly EventID: number | { readonly '#text': number };
      readonly Channel: string;
      readonly Computer: string;
      readonly TimeCreated: { readonly '#attributes': { readonly SystemTime: string } };
    };
    readonly EventData?: Readonly<Record<string, string | number>> | null;
  };
}

async function startsOf(bytes: Uint8Array, log: number): Promise<Start[]> {
  const found: Start[] = [];
  await readEvtx(sourceOf(bytes), freshTables(), (event) => {
    if (!(event instanceof EvtxEvent)) return;
    const { System: head, EventData: data } = (JSON.parse(eventJson(event)) as RawEvent).Event;
    const id = typeof head.EventID === 'object' ? head.EventID['#text'] : head.EventID;
    const isSysmon = id === 1 && head.Channel.includes('Sysmon');
    if (!isSysmon && !(id === 4688 && data?.['NewProcessName'])) return;
    const text = (name: string): string => String(data?.[name] ?? '').trim();
    const image = text(isSysmon ? 'Image' : 'NewProcessName').toLowerCase();
    if (image === '') return;
    const time = isSysmon ? text('UtcTime').replace(' ', 'T') : head.TimeCreated['#attributes'].SystemTime;
    found.push({
      log,
      isSysmon,
      guid: isSysmon ? text('ProcessGuid').toLowerCase() : '',
      pid: Number(text(isSysmon ? 'ProcessId' : 'NewProcessId')),
      parentPid: Number(text(isSysmon ? 'ParentProcessId' : 'ProcessId')),
      image,
      line: text('CommandLine').replace(/^-$/, ''),
      at: Date.parse(`${time.replace('Z', '').slice(0, 23)}Z`),
      host: head.Computer.toLowerCase(),
    });
  });
  return found;
}
