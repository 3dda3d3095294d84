import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../../test/support/shared-data.ts';
import { freshTables, sourceOf } from '../../testing/index.ts';
import type { ByteSource, EventTables, ReadOptions, ReadReport } from '../reader.ts';
import type { EvtxEvent } from './evtx-event.ts';
import { readEvtx } from './evtx-reader.ts';
import { eventJson } from './render-json.ts';
import { eventXml } from './render-xml.ts';

const HEADER = 4096;
const CHUNK = 65_536;
const MEBIBYTE = 16 * CHUNK;

/** A record: where it lies, and all that its event gives out but for its place. */
interface Seen {
  readonly offset: number;
  readonly end: number;
  readonly content: string;
}

const mebibyteOfNoise = noise(MEBIBYTE);
const everything: ReadOptions = { recoverSlack: false, verifyChecksums: true };

describeWithSharedData('damaged logs', () => {
  const folder = sharedData('evtx-snapshots', 'samples');
  const samples = readdirSync(folder).map((name) => ({
    name,
    path: `${folder}/${name}`,
    file: reduced(readFileSync(`${folder}/${name}`)),
  }));

  it.each(samples)('$name with every 97th byte flipped', async ({ path, file }) => {
    const cases = [0, 31, 62].map((phase): [Uint8Array, number] => [file.slice(), phase]);
    for (const [flipped, phase] of [...cases, [new Uint8Array(readFileSync(path)), 96] as const]) {
      for (let at = phase; at < flipped.length; at += 97) flipped[at]! ^= 0xff;
      const { report } = await look(flipped, { ...everything, recoverSlack: true });
      expect(report.records).toBeLessThan(100_000);
    }
  });

  it.each(samples)('$name cut at every multiple of 4096', async ({ file }) => {
    const whole = (await look(file)).seen;
    for (let end = 0; end < file.length; end += 4096) {
      const { seen } = await look(file.subarray(0, end));
      const before = whole.filter((record) => record.end <= end);
      expect(seen.slice(0, before.length)).toEqual(before);
      expect(seen.every((record) => record.end <= end)).toBe(true);
    }
  });

  it.each(samples)('$name with its chunks shuffled and repeated', async ({ file }) => {
    const chunks = slots(file);
    const order = [...chunks.toReversed(), ...chunks];
    const { seen } = await look(joined(file, order));
    const alone = await Promise.all(chunks.map(async (chunk) => contents((await look(joined(file, [chunk]))).seen)));
    expect(contents(seen)).toEqual([...alone.toReversed(), ...alone].flat());
  });

  it.each(samples)('$name with a mebibyte of zeros or noise before, between or behind chunks', async ({ file }) => {
    const whole = contents((await look(file)).seen);
    const chunks = slots(file);
    for (const between of [new Uint8Array(MEBIBYTE), mebibyteOfNoise]) {
      for (let before = 0; before <= chunks.length; before++) {
        const { seen } = await look(joined(file, chunks.toSpliced(before, 0, between)));
        expect(contents(seen)).toEqual(whole);
      }
    }
  });

  it('leave the other chunks alone, whatever happens to one', async () => {
    const logs = samples.filter(({ file }) => slots(file).length === 3).map(({ file }) => file);
    const sound = await Promise.all(logs.map(async (file) => (await look(file)).seen));
    const change = fc.record({
      log: fc.nat(logs.length - 1),
      chunk: fc.nat(2),
      edits: fc.array(fc.tuple(fc.nat(CHUNK - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
      copies: fc.array(fc.tuple(fc.nat(CHUNK - 1), fc.nat(CHUNK - 1), fc.nat(300)), { maxLength: 4 }),
    });
    const property = fc.asyncProperty(change, async ({ log, chunk, edits, copies }) => {
      const file = logs[log]!.slice();
      const start = HEADER + chunk * CHUNK;
      const bytes = file.subarray(start, start + CHUNK);
      for (const [at, value] of edits) bytes[at] = value;
      for (const [from, to, length] of copies) bytes.copyWithin(to, from, from + length);
      const { seen } = await look(file, { ...everything, recoverSlack: true });
      const isElsewhere = (record: Seen): boolean => record.offset < start || record.offset >= start + CHUNK;
      const kept = sound[log]!.filter(isElsewhere);
      const found = contents(seen.filter(isElsewhere)).filter((content) => !content.includes('"_recovered":true'));
      expect(found).toEqual(contents(kept));
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('are read in bounded memory, however long they are', async () => {
    const chunks = samples.flatMap(({ file }) => slots(file));
    const tables = freshTables();
    const fields = ['Channel', 'EventID', 'Image', 'TargetUserName', 'Data'].map((name) => tables.fields.id(name));
    const source = repeated(chunks, 4000);
    let most = 0;
    await readEvtx(
      source,
      tables,
      (event) => {
        for (const field of fields) event.value(field);
      },
      { onProgress: () => (most = Math.max(most, process.memoryUsage().arrayBuffers)) },
    );
    expect(tables.values.size).toBeLessThan(1_000_000);
    expect(most).toBeLessThan(200 * 1024 * 1024);
  });
});

describeWithSharedData('bytes that are no log', () => {
  it('give no records and no errors', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200_000, size: 'max' }), async (bytes) => {
      expect((await look(bytes)).report.records).toBe(0);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it('do no harm as records, however they begin', async () => {
    const anyTokens = fc.array(
      fc.oneof(
        fc.constantFrom(
          [0x0f, 1, 1, 0],
          [0x0c, 1, 0, 0, 0, 0, 0x18, 2, 0, 0],
          [0x01, 0, 0, 0, 0, 0x40, 2, 0, 0],
          [0x41, 0xff, 0xff, 0, 0, 0, 0, 0x40, 2, 0, 0],
          [0x02],
          [0x03],
          [0x04],
          [0x06, 0x40, 2, 0, 0],
          [0x05, 0x01, 1, 0, 0x41, 0],
          [0x0d, 0, 0, 1],
          [0x0e, 1, 0, 0x21],
          [0x00],
          [1, 0, 0, 0],
          [8, 0, 0x21, 0],
        ),
        fc.array(fc.nat(255), { maxLength: 8 }),
      ),
      { maxLength: 60 },
    );
    const property = fc.asyncProperty(fc.array(anyTokens, { maxLength: 6 }), async (all) => {
      const { report } = await look(logOf(all.map((tokens) => tokens.flat())), { ...everything, recoverSlack: true });
      expect(report.records).toBeLessThanOrEqual(2 * all.length);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

/** The log's header and at most three of its chunks: first, middle and last. */
function reduced(file: Uint8Array): Uint8Array {
  const signed = slots(file).filter((slot) => new TextDecoder().decode(slot.subarray(0, 7)) === 'ElfChnk');
  const chosen = new Set([0, signed.length >> 1, signed.length - 1]);
  return joined(
    file,
    signed.filter((_, index) => chosen.has(index)),
  );
}

function slots(file: Uint8Array): Uint8Array[] {
  const count = Math.floor((file.length - HEADER) / CHUNK);
  return Array.from({ length: count }, (_, i) => file.subarray(HEADER + i * CHUNK, HEADER + (i + 1) * CHUNK));
}

function joined(file: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(HEADER + parts.reduce((sum, part) => sum + part.length, 0));
  bytes.set(file.subarray(0, HEADER));
  let at = HEADER;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads a log and has its events give out all they can. */
async function look(file: Uint8Array, options = everything): Promise<{ seen: Seen[]; report: ReadReport }> {
  const seen: Seen[] = [];
  const tables = freshTables();
  const fields = ['Data', 'Image', 'EventID', 'Id'].map((name) => tables.fields.id(name));
  const report = await readEvtx(sourceOf(file), tables, (event) => seen.push(seenOf(event, tables, fields)), options);
  expect(report.records).toBe(seen.length);
  return { seen, report };
}

function seenOf(event: EvtxEvent, tables: EventTables, fields: readonly number[]): Seen {
  const texts = fields.map((field) => tables.values.text(event.value(field)));
  event.keywords((id) => texts.push(tables.values.text(id)) < 0);
  const record = Object.entries(event.toRecord()).filter(([name]) => name !== '_offset');
  const json = eventJson(event);
  JSON.parse(json);
  const content = JSON.stringify([
    Object.fromEntries(record),
    event.head(),
    event.route.channel,
    texts,
    eventXml(event),
    json,
  ]);
  return { offset: event.offset, end: event.offset + event.frame.end - event.frame.start + 4, content };
}

function contents(seen: readonly Seen[]): string[] {
  return seen.map(({ content }) => content);
}

/** Bytes without pattern, the same each time. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
}

/** A log of so many chunks, taken from the given ones in turn. */
function repeated(chunks: readonly Uint8Array[], count: number): ByteSource {
  const header = new Uint8Array(HEADER);
  header.set(new TextEncoder().encode('ElfFile\0'));
  return {
    size: HEADER + count * CHUNK,
    read: async (offset, into) => {
      if (offset < HEADER) {
        const piece = header.subarray(offset, offset + into.length);
        into.set(piece);
        return piece.length;
      }
      const index = Math.floor((offset - HEADER) / CHUNK);
      if (index >= count) return 0;
      const piece = chunks[index % chunks.length]!.subarray((offset - HEADER) % CHUNK).subarray(0, into.length);
      into.set(piece);
      return piece.length;
    },
  };
}

/** A log of one chunk whose records have these bytes for their binary XML. */
function logOf(all: readonly (readonly number[])[]): Uint8Array {
  const file = new Uint8Array(HEADER + CHUNK);
  const view = new DataView(file.buffer, HEADER);
  file.set(new TextEncoder().encode('ElfFile\0'));
  file.set(new TextEncoder().encode('ElfChnk\0'), HEADER);
  let at = 512;
  for (const xml of all) {
    const size = 24 + xml.length + 4;
    view.setUint32(at, 0x2a2a, true);
    view.setUint32(at + 4, size, true);
    file.set(xml, HEADER + at + 24);
    view.setUint32(at + size - 4, size, true);
    at += size;
  }
  view.setUint32(48, at, true);
  return file;
}
