import { describe, expect, it } from 'vitest';
import type { OutputRecord } from '../../events/log-event.ts';
import { type EvtxEvent as EventSpec, freshTables, readAll, sourceOf, writeEvtx } from '../../testing/index.ts';
import type { ReadOptions } from '../reader.ts';
import { readEvtx } from './evtx-reader.ts';

const HEADER = 4096;
const CHUNK = 65_536;

describe('readEvtx', () => {
  it('reads all records of all chunks in order', async () => {
    const { records, report } = await readAll(readEvtx, log(10, 3));
    expect(ids(records)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const firsts = (await offsets(log(10, 3))).filter((_, i) => i % 3 === 0);
    expect(firsts).toEqual([0, 1, 2, 3].map((chunk) => HEADER + chunk * CHUNK + 512));
    expect(records[3]).toMatchObject({ _offset: HEADER + CHUNK + 512 });
    expect(report).toEqual({ records: 10, problems: [] });
  });

  it('reads a log without records', async () => {
    expect((await readAll(readEvtx, writeEvtx([]))).report).toEqual({ records: 0, problems: [] });
  });

  it('reads more chunks than a window holds, from a source that gives little at a time', async () => {
    const file = log(150, 1);
    const tables = freshTables();
    const progress: number[] = [];
    const sizes: number[] = [];
    const source = {
      size: file.length,
      read: async (offset: number, into: Uint8Array) => {
        sizes.push(into.length);
        return sourceOf(file).read(offset, into.subarray(0, 100_000));
      },
    };
    const report = await readEvtx(source, tables, () => {}, { onProgress: (done) => progress.push(done) });
    expect(report).toEqual({ records: 150, problems: [] });
    expect(progress.at(-1)).toBe(file.length);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('stops when asked to, with the reason', async () => {
    const abort = new AbortController();
    const seen: string[] = [];
    const run = readEvtx(
      sourceOf(log(10, 2)),
      freshTables(),
      (event) => {
        seen.push(event.head().recordId ?? '');
        if (seen.length === 3) abort.abort(new Error('enough'));
      },
      { signal: abort.signal },
    );
    await expect(run).rejects.toThrow('enough');
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  it('lets errors of the source through', async () => {
    const source = { size: 10_000, read: () => Promise.reject(new Error('disk')) };
    await expect(readEvtx(source, freshTables(), () => {})).rejects.toThrow('disk');
  });

  it('keeps plans from file to file, and results the same', async () => {
    const tables = freshTables();
    const before = await readAll(readEvtx, log(5, 2), undefined, { tables });
    const after = await readAll(readEvtx, log(5, 2), undefined, { tables });
    expect(after).toEqual(before);
  });
});

describe('file header', () => {
  it.each([
    { name: 'a stale number of chunks', change: set(42, 9), code: 'file-chunk-count', offset: 42, checked: true },
    { name: 'a checksum that is wrong', change: set(124, 9), code: 'file-checksum', offset: 124 },
    { name: 'another version', change: set(38, 4), code: 'file-version', offset: 36, checked: true },
  ])('says so and reads on: $name', async ({ change, code, offset, checked }) => {
    const file = log(4, 2);
    change(file);
    const { records, report } = await readAll(readEvtx, file);
    expect(ids(records)).toEqual([1, 2, 3, 4]);
    const others = checked ? [{ code: 'file-checksum', offset: 124, count: 1 }] : [];
    expect(problems(report)).toEqual(expect.arrayContaining([{ code, offset, count: 1 }, ...others]));
  });

  it('does not verify checksums that the file says it does not have', async () => {
    const file = log(1, 1);
    set(120, 4)(file);
    set(124, 0)(file);
    expect((await readAll(readEvtx, file)).report.problems).toEqual([]);
  });

  it('searches a file without it for chunks', async () => {
    const file = log(4, 2);
    const carved = new Uint8Array(file.length + 8192);
    carved.set(file.subarray(HEADER, HEADER + CHUNK), 4096);
    carved.set(file.subarray(HEADER + CHUNK), 3 * 4096 + CHUNK);
    const { records, report } = await readAll(readEvtx, carved);
    expect(ids(records)).toEqual([1, 2, 3, 4]);
    expect(problems(report)).toEqual([{ code: 'file-signature', offset: 0, count: 1 }]);
  });

  it('compares the trailing sizes of records that it carves', async () => {
    const file = log(3, 3).subarray(HEADER);
    const size = new DataView(file.buffer, file.byteOffset).getUint32(512 + 4, true);
    file[512 + size - 4] = 1;
    const { records, report } = await readAll(readEvtx, file);
    expect(ids(records)).toEqual([2, 3]);
    expect(problems(report)).toContainEqual({ code: 'record-header', offset: 512, count: 1 });
  });

  it.each([0, 1, 127, 5000])('finds nothing in %i bytes of something else', async (length) => {
    const { records, report } = await readAll(readEvtx, new Uint8Array(length).fill(0x2a));
    expect(records).toEqual([]);
    expect(problems(report)).toEqual([{ code: 'file-signature', offset: 0, count: 1 }]);
  });
});

describe('chunks', () => {
  it('skips what is none, and empty ones before the last', async () => {
    const file = join(log(4, 2), [0, 'zeros', 'noise', 'zeros', 1, 'zeros']);
    const { records, report } = await readAll(readEvtx, file);
    expect(ids(records)).toEqual([1, 2, 3, 4]);
    expect(problems(report)).toEqual([
      { code: 'chunk-unsigned', offset: HEADER + 2 * CHUNK, count: 1 },
      { code: 'chunk-empty', offset: HEADER + CHUNK, count: 2 },
    ]);
  });

  it('reads a chunk that is cut off as far as it goes', async () => {
    const file = log(100, 100);
    const end = HEADER + new DataView(file.buffer).getUint32(HEADER + 48, true);
    const { records, report } = await readAll(readEvtx, file.subarray(0, end - 10));
    expect(records).toHaveLength(99);
    expect(problems(report)).toContainEqual({ code: 'chunk-truncated', offset: HEADER, count: 1 });
    const beforeRecords = await readAll(readEvtx, file.subarray(0, HEADER + 300));
    expect(beforeRecords.records).toEqual([]);
  });

  it('stands a wrong end of the records', async () => {
    for (const end of [0, 511, 65_535, 0xffffffff]) {
      const file = log(3, 3);
      new DataView(file.buffer).setUint32(HEADER + 48, end, true);
      expect(ids((await readAll(readEvtx, file)).records)).toEqual([1, 2, 3]);
    }
  });

  it('needs neither of the bucket tables', async () => {
    const file = log(3, 3);
    file.fill(0xff, HEADER + 128, HEADER + 512);
    expect((await readAll(readEvtx, file)).report).toEqual({ records: 3, problems: [] });
  });

  it('verifies checksums when asked to, and reads on', async () => {
    const file = log(4, 2);
    file[HEADER + 8]! ^= 1;
    file[HEADER + CHUNK + 600]! ^= 1;
    expect(problems((await readAll(readEvtx, file)).report)).toEqual([]);
    const { report } = await read(file, { verifyChecksums: true });
    expect(report.records).toBe(4);
    expect(problems(report)).toEqual([{ code: 'chunk-checksum', offset: HEADER, count: 2 }]);
    expect(problems((await read(log(4, 2), { verifyChecksums: true })).report)).toEqual([]);
    for (const chunk of [HEADER, HEADER + CHUNK]) set(chunk + 120, 4)(file);
    expect(problems((await read(file, { verifyChecksums: true })).report)).toEqual([]);
  });
});

describe('records', () => {
  it('goes on behind one that begins in a wrong way', async () => {
    for (const change of [set(0, 0x2b2a), set(4, 0), set(4, 27), set(4, 0x7fffffff)]) {
      const file = log(5, 5);
      change(file.subarray(HEADER + 512));
      const { records, report } = await readAll(readEvtx, file);
      // The first record brings the template that the others use, which stays readable.
      expect(ids(records)).toEqual([2, 3, 4, 5]);
      expect(problems(report)).toEqual([{ code: 'record-header', offset: HEADER + 512, count: 1 }]);
    }
  });

  it('ends at zeros, whatever end is announced', async () => {
    const file = log(5, 5);
    const offset = (await offsets(file))[3]!;
    file.fill(0, offset, offset + 8);
    const { records, report } = await readAll(readEvtx, file);
    expect(ids(records)).toEqual([1, 2, 3]);
    expect(report.problems).toEqual([]);
  });

  it('takes the time of the header for that of a record without one', async () => {
    const file = log(1, 1);
    const { heads } = await readAll(readEvtx, file);
    // No name of an element is that of another.
    const xml = new TextDecoder('utf-16le').decode(file.subarray(HEADER));
    expect(xml).toContain('TimeCreated');
    const name = HEADER + 2 * xml.indexOf('TimeCreated');
    file[name] = 'X'.charCodeAt(0);
    const { heads: without, records } = await readAll(readEvtx, file);
    expect(without).toEqual(heads);
    expect(records[0]?.TimeCreated_SystemTime).toBe(heads[0]?.timestamp);
  });
});

describe('recoverSlack', () => {
  it('finds records behind the end of a chunk and in what has lost its signature', async () => {
    const file = log(6, 3);
    const third = (await offsets(file))[2]! - HEADER;
    set(HEADER + 48, third, 4)(file);
    file.fill(0, HEADER + CHUNK, HEADER + CHUNK + 8);
    expect(ids((await read(file)).records)).toEqual([1, 2]);
    const { records, report } = await read(file, { recoverSlack: true });
    expect(ids(records)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(records.map((record) => Object.entries(record).find(([name]) => name === '_recovered')?.[1])).toEqual([
      undefined,
      undefined,
      true,
      true,
      true,
      true,
    ]);
    expect(report.records).toBe(6);
  });

  it('leaves out what is half overwritten', async () => {
    const file = log(3, 3);
    const third = (await offsets(file))[2]! - HEADER;
    set(HEADER + 48, third, 4)(file);
    file.fill(0xff, HEADER + third + 24, HEADER + third + 60);
    const { records, report } = await read(file, { recoverSlack: true });
    expect(ids(records)).toEqual([1, 2]);
    expect(problems(report)).toEqual([]);
  });
});

function log(count: number, recordsPerChunk: number): Uint8Array {
  const events = Array.from({ length: count }, (_, i): EventSpec => ({
    provider: 'Example-Provider',
    eventId: i,
    time: '2026-03-01T10:00:00.1234567Z',
    channel: 'Example/Operational',
    computer: 'ws-01.example.test',
    data: { Image: `C:\\Tools\\${i}.exe`, Pid: i },
  }));
  return writeEvtx(events, { recordsPerChunk });
}

/** A log's header with its chunks by number, and others between them. */
function join(file: Uint8Array, slots: readonly (number | 'zeros' | 'noise')[]): Uint8Array {
  const joined = new Uint8Array(HEADER + slots.length * CHUNK);
  joined.set(file.subarray(0, HEADER));
  for (const [index, slot] of slots.entries()) {
    const into = joined.subarray(HEADER + index * CHUNK, HEADER + (index + 1) * CHUNK);
    if (slot === 'noise') into.fill(0x2a);
    else if (slot !== 'zeros') into.set(file.subarray(HEADER + slot * CHUNK, HEADER + (slot + 1) * CHUNK));
  }
  return joined;
}

function set(offset: number, value: number, width: 2 | 4 = offset === 38 || offset === 42 ? 2 : 4) {
  return (bytes: Uint8Array): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (width === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
  };
}

async function read(file: Uint8Array, options: ReadOptions = {}): ReturnType<typeof readAll> {
  return readAll(readEvtx, file, undefined, options);
}

function ids(records: readonly OutputRecord[]): unknown[] {
  return records.map((record) => record.EventRecordID);
}

async function offsets(file: Uint8Array): Promise<number[]> {
  const found: number[] = [];
  await readEvtx(sourceOf(file), freshTables(), (event) => found.push(event.offset));
  return found;
}

function problems(report: Awaited<ReturnType<typeof readAll>>['report']): unknown[] {
  return report.problems.map(({ code, offset, count }) => ({ code, offset, count }));
}
