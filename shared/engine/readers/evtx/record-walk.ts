import { type Chunk, FIRST_RECORD } from './chunk.ts';

const MAGIC = 0x2a2a;
const SMALLEST_RECORD = 28;
const STEP = 4;

/** What a walk over records does with what it meets; offsets count from the chunk's first byte. */
export interface RecordVisitor {
  /** A record whose header is sound. */
  record(start: number, size: number): void;
  /** Bytes that should be a record and are none. */
  damage(offset: number): void;
}

/**
 * Walks over a chunk's records, on beyond damaged ones to the next whose trailing size agrees
 * (detection-engine 2.3); returns where they end. That is at a zero magic where the announced end
 * is wrong.
 * @param carved compares the trailing size of every record.
 */
export function walkRecords(chunk: Chunk, carved: boolean, visitor: RecordVisitor): number {
  const end = chunk.recordsEnd();
  let at = FIRST_RECORD;
  while (at + SMALLEST_RECORD <= end) {
    const size = recordSize(chunk, at);
    if (size > 0 && (!carved || isConfirmed(chunk, at, size))) {
      visitor.record(at, size);
      at += size;
    } else if (chunk.view.getUint32(at, true) === 0) {
      return at;
    } else {
      visitor.damage(at);
      at = nextRecord(chunk, at + STEP, end);
    }
  }
  return at;
}

/** Visits whatever records lie between two offsets, whatever stands between them. */
export function searchRecords(chunk: Chunk, from: number, visit: (start: number, size: number) => void): void {
  let at = nextRecord(chunk, from, chunk.size);
  while (at < chunk.size) {
    const size = recordSize(chunk, at);
    visit(at, size);
    at = nextRecord(chunk, at + size, chunk.size);
  }
}

/** Offset of the next record with an agreeing trailing size; `end` or more when there is none. */
function nextRecord(chunk: Chunk, from: number, end: number): number {
  let at = from;
  while (at + SMALLEST_RECORD <= end) {
    const size = recordSize(chunk, at);
    if (size > 0 && isConfirmed(chunk, at, size)) return at;
    at += STEP;
  }
  return end;
}

/** Size of the record at `at`; 0 when none begins there. */
function recordSize({ view, size: present }: Chunk, at: number): number {
  if (view.getUint32(at, true) !== MAGIC) return 0;
  const size = view.getUint32(at + 4, true);
  return size >= SMALLEST_RECORD && size <= present - at ? size : 0;
}

function isConfirmed({ view }: Chunk, at: number, size: number): boolean {
  return view.getUint32(at + size - 4, true) === size;
}
