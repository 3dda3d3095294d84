import { describe, expect, it } from 'vitest';
import { crc32 } from '../readers/evtx/crc32.ts';
import type { EvtxEvent } from './evtx-element.ts';
import { encodeValue, type EvtxValue, valueTexts } from './evtx-values.ts';
import { writeEvtx } from './evtx-writer.ts';

const event: EvtxEvent = {
  provider: 'Example-Provider',
  eventId: 1,
  time: '2026-03-01T10:00:00.1234567Z',
  channel: 'Example/Operational',
  computer: 'ws-01.example.test',
  data: { Image: 'C:\\Tools\\a.exe' },
};

describe('writeEvtx', () => {
  it('writes the checksums and counts that readers verify', () => {
    const file = writeEvtx(
      Array.from({ length: 5 }, () => event),
      { recordsPerChunk: 2 },
    );
    const view = new DataView(file.buffer);
    expect(text(file, 0, 8)).toBe('ElfFile\0');
    expect(view.getBigUint64(24, true)).toBe(6n);
    expect(view.getUint16(42, true)).toBe(3);
    expect(view.getUint32(124, true)).toBe(crc32(file.subarray(0, 120)));
    expect(file.length).toBe(4096 + 3 * 65_536);
    for (const chunk of chunks(file)) {
      const header = new DataView(chunk.buffer, chunk.byteOffset);
      expect(text(chunk, 0, 8)).toBe('ElfChnk\0');
      expect(header.getUint32(52, true)).toBe(crc32(chunk.subarray(512, header.getUint32(48, true))));
      expect(header.getUint32(124, true)).toBe(crc32(chunk.subarray(0, 120), chunk.subarray(128, 512)));
    }
  });

  it('numbers records over chunks and keeps given ids', () => {
    const file = writeEvtx([event, { ...event, recordId: 900 }, event], { recordsPerChunk: 2 });
    const ranges = chunks(file).map((chunk) => {
      const header = new DataView(chunk.buffer, chunk.byteOffset);
      return [8, 16, 24, 32].map((offset) => Number(header.getBigUint64(offset, true)));
    });
    expect(ranges).toEqual([
      [1, 2, 1, 900],
      [3, 3, 901, 901],
    ]);
  });

  it('repeats sizes and aligns records', () => {
    const [chunk] = chunks(writeEvtx([event, { ...event, data: ['x'] }, event]));
    const view = new DataView(chunk!.buffer, chunk!.byteOffset);
    let at = 512;
    for (const end = view.getUint32(48, true); at < end;) {
      const size = view.getUint32(at + 4, true);
      expect(view.getUint32(at, true)).toBe(0x2a2a);
      expect(view.getUint32(at + size - 4, true)).toBe(size);
      expect(size % 8).toBe(0);
      at += size;
    }
    expect(at).toBe(view.getUint32(48, true));
  });

  it('shares names and templates within a chunk', () => {
    const one = endOfRecords([event]);
    const two = endOfRecords([event, { ...event, data: { Image: 'other' } }]);
    const reshaped = endOfRecords([event, { ...event, data: { Other: 'other' } }]);
    expect(two - one).toBeLessThan(300);
    expect(reshaped - one).toBeGreaterThan(two - one + 50);
  });

  it('starts a chunk when one is full and refuses an event larger than a chunk', () => {
    const large = { ...event, data: { ScriptBlockText: 'x'.repeat(20_000) } };
    expect(chunks(writeEvtx([large, large, large]))).toHaveLength(3);
    expect(() => writeEvtx([{ ...event, data: { A: 'x'.repeat(32_600) } }])).toThrow(RangeError);
    expect(() => writeEvtx([{ ...event, data: { A: 'x'.repeat(40_000) } }])).toThrow(RangeError);
  });

  it('writes an empty log as one empty chunk', () => {
    expect(chunks(writeEvtx([]))).toHaveLength(1);
  });
});

const values: { value: EvtxValue; code: number; hex: string; texts: string[] }[] = [
  { value: null, code: 0x00, hex: '', texts: [] },
  { value: 'aé', code: 0x01, hex: '6100e900', texts: ['aé'] },
  { value: { type: 'ansi', value: 'aé' }, code: 0x02, hex: '61e9', texts: ['aé'] },
  { value: { type: 'int8', value: -2 }, code: 0x03, hex: 'fe', texts: ['-2'] },
  { value: { type: 'uint16', value: 4624 }, code: 0x06, hex: '1012', texts: ['4624'] },
  { value: 7, code: 0x08, hex: '07000000', texts: ['7'] },
  { value: -1, code: 0x09, hex: 'ffffffffffffffff', texts: ['-1'] },
  { value: 2n ** 63n, code: 0x0a, hex: '0000000000000080', texts: ['9223372036854775808'] },
  { value: { type: 'float32', value: 0.5 }, code: 0x0b, hex: '0000003f', texts: ['0.5'] },
  { value: 0.1, code: 0x0c, hex: '9a9999999999b93f', texts: ['0.1'] },
  { value: true, code: 0x0d, hex: '01000000', texts: ['true'] },
  { value: Uint8Array.of(1, 255), code: 0x0e, hex: '01ff', texts: ['01FF'] },
  {
    value: { type: 'guid', value: '{00112233-4455-6677-8899-AABBCCDDEEFF}' },
    code: 0x0f,
    hex: '33221100554477668899aabbccddeeff',
    texts: ['{00112233-4455-6677-8899-aabbccddeeff}'],
  },
  { value: { type: 'sizet', value: 0x58 }, code: 0x10, hex: '5800000000000000', texts: ['0x58'] },
  {
    value: { type: 'filetime', value: '1970-01-01T00:00:00.0000001Z' },
    code: 0x11,
    hex: '01803ed5deb19d01',
    texts: ['1970-01-01T00:00:00.0000001Z'],
  },
  {
    value: { type: 'systemtime', value: '2026-03-01T10:11:12.345Z' },
    code: 0x12,
    hex: 'ea070300000001000a000b000c005901',
    texts: ['2026-03-01T10:11:12.345Z'],
  },
  { value: { type: 'sid', value: 'S-1-5-18' }, code: 0x13, hex: '010100000000000512000000', texts: ['S-1-5-18'] },
  { value: { type: 'hex32', value: 0x1410 }, code: 0x14, hex: '10140000', texts: ['0x1410'] },
  { value: { type: 'hex64', value: 0x3e7 }, code: 0x15, hex: 'e703000000000000', texts: ['0x3e7'] },
  { value: { type: 'array', of: 'string', items: ['a', ''] }, code: 0x81, hex: '610000000000', texts: ['a', ''] },
  { value: { type: 'array', of: 'uint16', items: [1, 2] }, code: 0x86, hex: '01000200', texts: ['1', '2'] },
  { value: { type: 'raw', code: 0x08, bytes: Uint8Array.of(1) }, code: 0x08, hex: '01', texts: [] },
];

describe('encodeValue', () => {
  it.each(values)('$code $hex', ({ value, code, hex, texts }) => {
    const encoded = encodeValue(value);
    expect(encoded.code).toBe(code);
    expect(Buffer.from(encoded.bytes).toString('hex')).toBe(hex);
    expect(valueTexts(value)).toEqual(texts);
  });
});

function chunks(file: Uint8Array): Uint8Array[] {
  return Array.from({ length: (file.length - 4096) / 65_536 }, (_, i) =>
    file.subarray(4096 + i * 65_536, 4096 + (i + 1) * 65_536),
  );
}

function endOfRecords(events: EvtxEvent[]): number {
  return new DataView(writeEvtx(events).buffer).getUint32(4096 + 48, true);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
