import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../analyze.ts';
import { loadRules } from '../../sigma/load-rules.ts';
import { sourceOf, writeEvtx } from '../../testing/index.ts';
import { detectLogType } from '../detect-log-type.ts';
import type { ByteSource } from '../reader.ts';
import { GunzipSource } from './gunzip.ts';
import { archiveLimits, openArchive } from './open-archive.ts';
import { wasCutShort } from './reading-limits.ts';

const { rules } = loadRules([]);
const line = (i: number): string => `${JSON.stringify({ eventSource: 's', eventName: `n${i}`, awsRegion: 'r' })}\n`;
const log = Array.from({ length: 20_000 }, (_, i) => line(i)).join('');

/** Packs to less than is read at once. */
const short = Array.from({ length: 1000 }, (_, i) => line(Math.imul(i, 0x9e3779b1))).join('');
/** No block of compressed bytes begins so. */
const damage = Buffer.of(0xff, 0xff);

async function all(source: ByteSource, step = 100_000): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const into = Buffer.alloc(step);
    const count = await source.read(at, into);
    if (count === 0) return Buffer.concat(parts);
    parts.push(into.subarray(0, count));
    at += count;
  }
}

async function read(bytes: Uint8Array): Promise<{ logType: string; events: number; codes: string[] }> {
  const { logType, events, problems } = await analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 1 });
  return { logType, events, codes: problems.map(({ code }) => code) };
}

describe('gzip', () => {
  it('is opened by analysis and by detection', async () => {
    const packed = gzipSync(log);
    expect(detectLogType(packed.subarray(0, 65_536))).toBe('cloud_audit');
    expect(await read(packed)).toEqual({ logType: 'cloud_audit', events: 20_000, codes: [] });
  });

  it('may have several members, one of them empty', async () => {
    const packed = Buffer.concat([gzipSync(log), gzipSync(''), gzipSync(line(1)), gzipSync(line(2))]);
    expect(await read(packed)).toEqual({ logType: 'cloud_audit', events: 20_002, codes: [] });
  });

  it('may hold a binary log', async () => {
    const event = { provider: 'P', eventId: 1, time: '2024-01-02T03:04:05Z', channel: 'C', computer: 'W' };
    const evtx = writeEvtx(Array.from({ length: 2000 }, () => event));
    expect(evtx.length).toBeGreaterThan(5 * 65_536);
    expect(await read(gzipSync(evtx))).toEqual(await read(evtx));
    expect(await read(gzipSync(evtx))).toMatchObject({ logType: 'evtx', events: 2000 });
    const cut = evtx.subarray(0, evtx.length - 70_000);
    expect(await read(gzipSync(cut))).toEqual(await read(cut));
  });

  it('is read in steps of any length, and again from the begin', async () => {
    const source = new GunzipSource(sourceOf(gzipSync(log)));
    expect((await all(source, 7777)).equals(Buffer.from(log))).toBe(true);
    expect((await all(source, 999_999)).equals(Buffer.from(log))).toBe(true);
    const into = Buffer.alloc(10);
    await source.read(500_000, into);
    expect(into.toString()).toBe(log.slice(500_000, 500_010));
    await source.read(70_000, into);
    expect(into.toString()).toBe(log.slice(70_000, 70_010));
  });

  it.each([0.2, 0.9, 0.999])('cut at %d of its length, gives what came before', async (share) => {
    const packed = gzipSync(log);
    const { events, codes } = await read(packed.subarray(0, Math.floor(packed.length * share)));
    expect(events).toBeGreaterThan(0);
    expect(events).toBeLessThanOrEqual(20_000);
    expect(codes).toContain('gzip-damaged');
  });

  it('gives what came before damage, also where all of it is short', async () => {
    const damaged = Buffer.concat([gzipSync(short, { finishFlush: constants.Z_FULL_FLUSH }), damage]);
    const { logType, events, codes } = await read(damaged);
    expect([logType, detectLogType(damaged)]).toEqual(['cloud_audit', 'cloud_audit']);
    expect(events).toBeGreaterThan(300);
    expect(codes).toContain('gzip-damaged');
  });

  it('is not believed without end', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const source = new GunzipSource(sourceOf(Buffer.concat(Array.from({ length: 8 }, () => zeros))));
    let made = 0;
    const into = new Uint8Array(1024 * 1024);
    for (let count = -1; count !== 0; made += count) count = await source.read(made, into);
    expect(source.damage).toBe('gzip-ratio');
    expect(made).toBeLessThan(300 * 1024 * 1024);
  });

  it.each([
    ['gzip-ratio', { ratio: 3, unpackedBytes: 2 ** 40 }, 300],
    ['unpacked-limit', { ratio: 10_000, unpackedBytes: 50 * 1024 * 1024 }, 80],
  ] as const)('is read up to its limits: %s', async (code, limits, mostMegabytes) => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const many = Buffer.concat([gzipSync(log), ...Array.from({ length: 8 }, () => zeros)]);
    const { events, problems } = await analyze(sourceOf(many), {
      rules,
      logType: 'cloud_audit',
      maxSamples: 1,
      limits,
    });
    expect(events).toBe(20_000);
    expect(problems.map((one) => one.code)).toContain(code);
    expect(wasCutShort(problems)).toBe(true);
    const source = new GunzipSource(sourceOf(many), limits);
    let made = 0;
    const into = new Uint8Array(1024 * 1024);
    for (let count = -1; count !== 0; made += count) count = await source.read(made, into);
    expect(made).toBeLessThan(mostMegabytes * 1024 * 1024);
  });

  it('is read until the time is over', async () => {
    let left = 3;
    const limits = { ratio: 200, unpackedBytes: 2 ** 40, isOver: () => (left -= 1) < 0 };
    const packed = gzipSync(log.repeat(20));
    const { events, problems } = await analyze(sourceOf(packed), { rules, logType: 'auto', maxSamples: 1, limits });
    expect(events).toBeGreaterThan(0);
    expect(events).toBeLessThan(400_000);
    expect(problems.map(({ code }) => code)).toContain('time-limit');
    expect(wasCutShort(problems)).toBe(true);
  });

  it('survives any change', async () => {
    const packed = gzipSync(log.slice(0, 20_000));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(packed);
        for (const [at, byte] of changes) bytes[3 + (at % (bytes.length - 3))] = byte;
        await all(new GunzipSource(sourceOf(bytes)));
        detectLogType(bytes);
      }),
      { numRuns: 200 },
    );
  });
});

interface Member {
  readonly name: string;
  readonly content: Uint8Array;
  readonly stored?: boolean;
  readonly flags?: number;
  readonly announced?: number;
  /** Of MS-DOS: the day above the clock. */
  readonly modified?: number;
  readonly packed?: Buffer;
}

/** A zip archive, with what tests want to be wrong in it. */
function zip(members: readonly Member[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const {
    packed: given,
    name,
    content,
    stored = false,
    flags = 0,
    announced = content.length,
    modified = 0,
  } of members) {
    const packed = given ?? (stored ? Buffer.from(content) : deflateRawSync(content));
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(stored ? 0 : 8, 10);
    entry.writeUInt32LE(modified, 12);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(announced, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += local.length + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

const text = Buffer.from(log.slice(0, 50_000));

function withWideOffset(bytes: Buffer): Buffer {
  return bytes.fill(0xff, bytes.length - 6, bytes.length - 2);
}

describe('openArchive', () => {
  it('gives each entry as a source of its own', async () => {
    const { entries, refused } = await openArchive(
      sourceOf(
        zip([
          { name: 'dir/', content: Buffer.alloc(0) },
          { name: 'dir/a.json', content: text },
          { name: 'b', content: text, stored: true, modified: 0x5c71_a1bd },
        ]),
      ),
    );
    expect(refused).toEqual([]);
    expect(entries.map(({ name, size, modified }) => [name, size, modified])).toEqual([
      ['dir/a.json', text.length, null],
      ['b', text.length, Date.UTC(2026, 2, 17, 20, 13, 58)],
    ]);
    for (const { source } of entries) expect((await all(source, 3333)).equals(text)).toBe(true);
  });

  it.each<[string, Member]>([
    ['its name leads out of the archive', { name: '../x', content: text }],
    ['its name leads out of the archive', { name: '/etc/x', content: text }],
    ['its name leads out of the archive', { name: 'C:\\x', content: text }],
    ['it is encrypted', { name: 'x', content: text, flags: 1 }],
    ['its sizes do not agree', { name: 'x', content: text, stored: true, announced: 7 }],
    ['it is an archive itself', { name: 'x', content: zip([{ name: 'y', content: text }]) }],
  ])('refuses an entry: %s', async (reason, member) => {
    const { entries, refused } = await openArchive(sourceOf(zip([{ name: 'good', content: text }, member])));
    expect(entries.map(({ name }) => name)).toEqual(['good']);
    expect(refused).toEqual([{ name: member.name, reason }]);
  });

  it.each<[RegExp, Buffer]>([
    [/more than 1000$/, zip(Array.from({ length: 1001 }, (_, i) => ({ name: `e${i}`, content: Buffer.of(1) })))],
    [/200 times its size/, zip([{ name: 'zeros', content: Buffer.alloc(50_000_000) }])],
    [/64-bit/, withWideOffset(zip([{ name: 'x', content: text }]))],
    [/directory/, zip([{ name: 'x', content: text }]).subarray(0, -30)],
    [/directory/, Buffer.from('PK\u0003\u0004')],
  ])('refuses the whole: %s', async (reason, bytes) => {
    const { entries, refused } = await openArchive(sourceOf(bytes));
    expect(entries).toEqual([]);
    expect(refused).toEqual([{ name: '', reason: expect.stringMatching(reason) as string }]);
  });

  it('lets no more out of an entry than was announced', async () => {
    const { entries } = await openArchive(sourceOf(zip([{ name: 'x', content: text, announced: 1000 }])));
    expect((await all(entries[0]!.source)).equals(text.subarray(0, 1000))).toBe(true);
  });

  it('gives what came before damage in an entry', async () => {
    const packed = Buffer.concat([deflateRawSync(short, { finishFlush: constants.Z_FULL_FLUSH }), damage]);
    const { entries } = await openArchive(sourceOf(zip([{ name: 'x', content: Buffer.from(short), packed }])));
    const content = await all(entries[0]!.source);
    expect(content.subarray(0, 10_000).toString()).toBe(short.slice(0, 10_000));
  });

  it('refuses entries that share their bytes', async () => {
    const bytes = zip([
      { name: 'a', content: text },
      { name: 'b', content: text },
    ]);
    const second = bytes.lastIndexOf('b') - 46;
    bytes.writeUInt32LE(0, second + 42);
    expect((await openArchive(sourceOf(bytes))).refused).toEqual([{ name: 'b', reason: 'it overlaps another entry' }]);
  });

  it('survives any change', async () => {
    const whole = zip([
      { name: 'a', content: text.subarray(0, 3000) },
      { name: 'b', content: text.subarray(0, 300), stored: true },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const { entries } = await openArchive(sourceOf(bytes), { ...archiveLimits, totalBytes: 10_000_000 });
        for (const { source, size } of entries) expect((await all(source)).length).toBeLessThanOrEqual(size);
      }),
      { numRuns: 200 },
    );
  });
});
