import { BinXmlWriter } from './evtx-binxml.ts';
import { ByteWriter } from './byte-writer.ts';
import { crc32 } from '../readers/evtx/crc32.ts';
import { eventElement, type EvtxEvent } from './evtx-element.ts';
import { fileTime } from './evtx-values.ts';

const chunkSize = 65_536;
const headerBlockSize = 4_096;
const recordsStart = 512;

export interface EvtxOptions {
  /** Starts a new chunk after so many records, to get many chunks from few events. @default Infinity */
  readonly recordsPerChunk?: number;
}

/**
 * Writes an EVTX file (detection-engine 2) that Windows' own layout rules hold for: checksums, name
 * and template tables, templates shared within a chunk. A RangeError tells of an event too large for
 * a chunk.
 */
export function writeEvtx(events: readonly EvtxEvent[], options: EvtxOptions = {}): Uint8Array {
  const chunks: ChunkWriter[] = [new ChunkWriter(1n)];
  let lastId = 0n;
  for (const event of events) {
    const recordId = event.recordId === undefined ? lastId + 1n : BigInt(event.recordId);
    let chunk = chunks.at(-1)!;
    if (chunk.records >= (options.recordsPerChunk ?? Infinity) || !chunk.add(event, recordId)) {
      chunk = new ChunkWriter(chunk.nextRecordNumber);
      if (!chunk.add(event, recordId)) throw new RangeError(`event ${recordId} is larger than a chunk`);
      chunks.push(chunk);
    }
    lastId = recordId;
  }
  return assemble(chunks, lastId + 1n);
}

class ChunkWriter {
  records = 0;
  readonly #firstNumber: bigint;
  readonly #out = new ByteWriter();
  readonly #xml = new BinXmlWriter(this.#out);
  #firstId = 0n;
  #lastId = 0n;
  #lastRecord = 0;
  #end = recordsStart;

  constructor(firstNumber: bigint) {
    this.#firstNumber = firstNumber;
    this.#out.zeros(recordsStart);
  }

  get nextRecordNumber(): bigint {
    return this.#firstNumber + BigInt(this.records);
  }

  /** False when the event does not fit: the chunk is then full and takes no more. */
  add(event: EvtxEvent, recordId: bigint): boolean {
    const out = this.#out;
    const start = out.offset;
    out.u32(0x2a2a);
    out.u32(0);
    out.u64(recordId);
    out.u64(fileTime(event.time));
    this.#xml.fragment(eventElement(event, recordId), event.layout !== 'plain');
    out.zeros((8 - ((out.offset - start + 4) % 8)) % 8);
    const size = out.offset - start + 4;
    out.patchU32(start + 4, size);
    out.u32(size);
    if (out.offset > chunkSize) return false;
    if (this.records++ === 0) this.#firstId = recordId;
    this.#lastId = recordId;
    this.#lastRecord = start;
    this.#end = out.offset;
    return true;
  }

  finish(): Uint8Array {
    const chunk = new Uint8Array(chunkSize);
    chunk.set(this.#out.bytes(recordsStart, this.#end), recordsStart);
    const header = new ByteWriter();
    header.raw(ascii('ElfChnk\0'));
    header.u64(this.#firstNumber);
    header.u64(this.records === 0 ? this.#firstNumber : this.nextRecordNumber - 1n);
    header.u64(this.#firstId);
    header.u64(this.#lastId);
    header.u32(128);
    header.u32(this.#lastRecord);
    header.u32(this.#end);
    header.u32(crc32(chunk.subarray(recordsStart, this.#end)));
    header.zeros(72);
    for (const head of this.#xml.nameBuckets(this.#end)) header.u32(head);
    for (const head of this.#xml.templateBuckets(this.#end)) header.u32(head);
    header.patchU32(124, crc32(header.bytes(0, 120), header.bytes(128)));
    chunk.set(header.bytes());
    return chunk;
  }
}

function assemble(chunks: readonly ChunkWriter[], nextRecordId: bigint): Uint8Array {
  const header = new ByteWriter();
  header.raw(ascii('ElfFile\0'));
  header.u64(0n);
  header.u64(BigInt(chunks.length - 1));
  header.u64(nextRecordId);
  header.u32(128);
  header.u16(1);
  header.u16(3);
  header.u16(headerBlockSize);
  header.u16(chunks.length & 0xffff);
  header.zeros(80);
  header.u32(crc32(header.bytes(0, 120)));
  const file = new Uint8Array(headerBlockSize + chunks.length * chunkSize);
  file.set(header.bytes());
  chunks.forEach((chunk, index) => file.set(chunk.finish(), headerBlockSize + index * chunkSize));
  return file;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
