import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../../test/support/shared-data.ts';
import { flatEvent } from '../../../../test/support/flat-event.ts';
import { type XmlTree, xmlTree } from '../../../../test/support/xml-tree.ts';
import type { OutputRecord } from '../../events/log-event.ts';
import { freshTables, sourceOf } from '../../testing/index.ts';
import type { ReadReport } from '../reader.ts';
import type { EvtxEvent } from './evtx-event.ts';
import { readEvtx } from './evtx-reader.ts';
import { eventJson } from './render-json.ts';
import { eventXml } from './render-xml.ts';

/** What an index of the shared data says of a file; at most the 25 most frequent event ids. */
interface Indexed {
  readonly records: number;
  readonly record_errors: number;
  readonly channels: Readonly<Record<string, number>>;
  readonly event_ids: Readonly<Record<string, number>>;
  readonly chunks: Readonly<Record<'valid' | 'not_a_chunk' | 'header_checksum_wrong' | 'data_checksum_wrong', number>>;
}

interface Oracles {
  readonly record_counts: readonly { readonly file: string; readonly ok: number; readonly err: number }[];
  readonly snapshots: Readonly<Record<string, { readonly sample: string | null; readonly record: string }>>;
}

/**
 * Damaged samples in which more is found than by those who counted them, because reading goes on at
 * the next sound record of a chunk instead of giving the chunk up.
 */
const foundBehindDamage: Readonly<Record<string, number>> = {
  '2-vss_0-Microsoft-Windows-RemoteDesktopServices-RdpCoreTS%4Operational.evtx': 1973,
  '2-vss_0-Microsoft-Windows-TerminalServices-RemoteConnectionManager%4Operational.evtx': 1796,
  'sample-with-zero-data-size-event.evtx': 449,
};

/** A case whose log has `Explorer.EXE` where its JSON has `Explorer.exe`. */
const editedByHand = /susp_right_to_left_override/;

describeWithSharedData('indexes', () => {
  const files = [...indexed('evtx', ''), ...indexed('evtx-snapshots', 'samples/')];

  it.each(files)('$name has the records, channels, event ids and chunks that its index says', async (file) => {
    const { name, path, said } = file;
    const channels = new Map<string, number>();
    const eventIds = new Map<string, number>();
    const report = await visit(path, (event) => {
      const { channel, eventId } = event.head();
      count(channels, channel ?? '');
      count(eventIds, eventId ?? '');
    });
    const more = foundBehindDamage[name];
    expect(report.records).toBe(more ?? said.records);
    expect(problemCount(report, 'chunk-unsigned')).toBe(said.chunks.not_a_chunk);
    const isWrong = said.chunks.header_checksum_wrong + said.chunks.data_checksum_wrong;
    if (isWrong > 0) expect(problemCount(report, 'chunk-checksum')).toBe(isWrong);
    if (said.record_errors === 0 && more === undefined) {
      expect(Object.fromEntries(channels)).toEqual(said.channels);
      for (const [id, number] of Object.entries(said.event_ids)) expect([id, eventIds.get(id)]).toEqual([id, number]);
      expect(report.problems.filter(({ code }) => code.startsWith('record-'))).toEqual([]);
    }
  });
});

describeWithSharedData('record counts of damaged samples', () => {
  it.each(oracles().record_counts)('$file gives at least $ok', async ({ file, ok, err }) => {
    const report = await visit(sharedData('evtx-snapshots', 'samples', file), () => {});
    expect(report.records).toBeGreaterThanOrEqual(ok);
    const damage = report.problems.filter(({ code }) => /^(record|chunk)-/.test(code));
    if (err > 0) expect(damage).not.toEqual([]);
  });
});

describeWithSharedData('Event Viewer', () => {
  it.each(['security', 'application'])('saved every record of the %s log with the same values', async (log) => {
    const path = sharedData('evtx-snapshots', 'windows-xml', log);
    const ours = new Map<string, XmlTree>();
    await visit(`${path}.evtx`, (event) => ours.set(event.head().recordId ?? '', normalised(xmlTree(eventXml(event)))));
    const theirs = xmlTree(readFileSync(`${path}.xml`, 'utf8').replace(/^\ufeff/, '')).children;
    expect(theirs.length).toBe(ours.size);
    for (const event of theirs) {
      const system = event.children.find(({ name }) => name === 'System');
      const id = system?.children.find(({ name }) => name === 'EventRecordID')?.text ?? '';
      expect(ours.get(id)).toEqual(normalised(event));
    }
  });

  it.each(['security', 'application'])('has in the %s log what toRecord says', async (log) => {
    const path = sharedData('evtx-snapshots', 'windows-xml', log);
    const ours = new Map<string, OutputRecord>();
    await visit(`${path}.evtx`, (event) => ours.set(event.head().recordId ?? '', event.toRecord()));
    for (const event of xmlTree(readFileSync(`${path}.xml`, 'utf8').replace(/^\ufeff/, '')).children) {
      const flat = flatEvent(normalised(event));
      const record = ours.get(String(flat.EventRecordID))!;
      const texts = Object.entries(record)
        .filter(([name]) => !name.startsWith('_') && name !== 'UserData_Root')
        .map(([name, value]) => [name, lineEnds([value].flat().join('|'))]);
      expect(Object.fromEntries(texts)).toEqual(flat);
    }
  });
});

describeWithSharedData('snapshots of the evtx project', () => {
  const known = Object.entries(oracles().snapshots).filter(([, { sample }]) => sample !== null);

  it.each(known)('%s', async (name, { sample, record }) => {
    const wanted = readFileSync(sharedData('evtx-snapshots', 'snapshots', name), 'utf8')
      .split('---\n')
      .slice(2)
      .join('');
    const id = /EventRecordID (\d+)/.exec(record)?.[1];
    const events: { xml: string; json: string }[] = [];
    await visit(sharedData('evtx-snapshots', 'samples', sample!), (event) => {
      if (id === undefined ? events.length === 0 : event.head().recordId === id) {
        events.push({ xml: eventXml(event), json: eventJson(event) });
      }
    });
    expect(events.length).toBeGreaterThan(0);
    if (wanted.startsWith('<'))
      expect(normalised(xmlTree(events[0]!.xml))).toEqual(normalised(withoutBlanks(xmlTree(wanted))));
    else
      expect(normalisedJson(JSON.parse(events[0]!.json))).toEqual(normalisedJson(attributesUnder(JSON.parse(wanted))));
  });
});

describeWithSharedData('JSON files of the rules\u2019 regression data', () => {
  const cases = readdirSync(sharedData('sigma-regression'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.evtx'))
    .map((path) => path.slice(0, -'.evtx'.length));

  it('are there', () => {
    expect(cases.length).toBeGreaterThan(100);
  });

  it.each(cases)('%s', async (path) => {
    const wanted = documents(readFileSync(sharedData('sigma-regression', `${path}.json`), 'utf8'));
    const events: unknown[] = [];
    await visit(sharedData('sigma-regression', `${path}.evtx`), (event) => events.push(JSON.parse(eventJson(event))));
    const normal = editedByHand.test(path) ? inLowerCase : normalisedJson;
    // They were written by a version that cut blanks off the ends of values.
    expect(events.map(trimmed).map(normal)).toEqual(wanted.map(trimmed).map(normal));
  });
});

function indexed(folder: string, samples: string): { name: string; path: string; said: Indexed }[] {
  const index = readJson(sharedData(folder, 'INDEX.json')) as Readonly<Record<string, Indexed>>;
  return Object.entries(index).map(([name, said]) => ({
    name,
    path: sharedData(folder, name.includes('/') ? name : samples + name),
    said,
  }));
}

function oracles(): Oracles {
  return readJson(sharedData('evtx-snapshots', 'oracles.json')) as Oracles;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

async function visit(path: string, look: (event: EvtxEvent) => void): Promise<ReadReport> {
  return readEvtx(sourceOf(readFileSync(path)), freshTables(), look, { verifyChecksums: true });
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function problemCount(report: ReadReport, code: string): number {
  return report.problems.find((problem) => problem.code === code)?.count ?? 0;
}

/** JSON documents one after another. */
function documents(text: string): unknown[] {
  return text
    .trim()
    .split(/(?<=^\})\s*(?=^\{)/m)
    .map((document) => JSON.parse(document) as unknown);
}

/** The layout in which attributes stand beside their element, brought to the one in which they stand in it. */
function attributesUnder(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const attributes = new Map(
    entries
      .filter(([key]) => key.endsWith('_attributes'))
      .map(([key, own]) => [key.slice(0, -'_attributes'.length), own]),
  );
  const names = [...new Set(entries.map(([key]) => key.replace(/_attributes$/, '')))];
  const plain = new Map(entries);
  return Object.fromEntries(
    names.map((name) => [name, beside(attributesUnder(plain.get(name)), attributes.get(name))]),
  );
}

function beside(value: unknown, attributes: unknown): unknown {
  if (attributes === undefined) return value;
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (isObject) return { '#attributes': attributes, ...value };
  return value === undefined || value === null
    ? { '#attributes': attributes }
    : { '#attributes': attributes, '#text': value };
}

/** Fractions of seconds to six digits, GUIDs bare and in upper case; nothing else (detection-engine 2.5). */
function spelling(text: string): string {
  return text
    .replace(/(\d\dT\d\d:\d\d:\d\d\.\d{6})\d*Z/g, '$1Z')
    .replace(/\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?/gi, (_, guid: string) => guid.toUpperCase());
}

/** XML itself makes one line feed of each line end. */
function lineEnds(text: string): string {
  return spelling(text.replaceAll('\r\n', '\n'));
}

function inLowerCase(value: unknown): unknown {
  return JSON.parse(spelling(JSON.stringify(value)).toLowerCase());
}

function normalisedJson(value: unknown): unknown {
  return JSON.parse(spelling(JSON.stringify(value)));
}

/**
 * Without what Event Viewer adds, and without elements whose optional value is null, which it leaves
 * out and the evtx project does not.
 */
function normalised(element: XmlTree): XmlTree {
  const children = element.children
    .filter(({ name }) => name !== 'RenderingInfo')
    .map(normalised)
    .filter(({ name, text }) => name !== 'Binary' || text !== '');
  const attributes = Object.entries(element.attributes).map(([name, value]) => [name, spelling(value)]);
  return { ...element, attributes: Object.fromEntries(attributes), children, text: lineEnds(element.text) };
}

/** Without the line breaks that the evtx project puts into elements. */
function withoutBlanks(element: XmlTree): XmlTree {
  const isBlank = element.text.includes('\n') && element.text.trim() === '';
  return { ...element, children: element.children.map(withoutBlanks), text: isBlank ? '' : element.text };
}

function trimmed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => (typeof item === 'string' ? item.trim() : item));
}
