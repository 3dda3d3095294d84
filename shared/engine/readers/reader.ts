import type { FieldTable } from '../events/field-table.ts';
import type { ByteRange, LogEvent } from '../events/log-event.ts';
import type { RouteTable } from '../events/route.ts';
import type { ValueTable } from '../events/value-table.ts';

/** Bytes to analyse: a file, a Blob, an object in a store. Isomorphic; adapters supply it. */
export interface ByteSource {
  /** Length in bytes; infinite where it is not known before the end. */
  readonly size: number;
  /** That any place is read as soon as any other, as in a file; records that are shown are read again then. */
  readonly isRandom?: true;
  /** Fills `into` from `offset`; returns the bytes read, fewer only at the end. */
  read(offset: number, into: Uint8Array): Promise<number>;
}

/** Tables that a run shares between reader and matcher. */
export interface EventTables {
  readonly fields: FieldTable;
  readonly values: ValueTable;
  readonly routes: RouteTable;
}

/** One kind of damage met, with how often and where first. Ordinary, so returned and not thrown. */
export interface ReadProblem {
  readonly code: string;
  readonly message: string;
  /** Byte offset of the first one. */
  readonly offset: number;
  readonly count: number;
}

export interface ReadReport {
  /** Records handed to `visit`. */
  readonly records: number;
  readonly problems: readonly ReadProblem[];
  /** Of a range of a text log: whether it ends within something that goes on behind it, so that what was read is void. */
  readonly isOpen?: boolean;
  /** Of a range of a Windows event log: what tells something of the whole log only. */
  readonly chunks?: ChunkTally;
}

/** The chunks of a range of a Windows event log. */
export interface ChunkTally {
  /** Number of chunks of the whole log as its header has it; null without a header. */
  readonly announced: number | null;
  readonly found: number;
  /** Empty slots behind the last chunk found; a hole if there are more chunks in a later range. */
  readonly empty: { readonly offset: number; readonly count: number } | null;
}

/** What an `AbortSignal` is asked by those who work in a loop. */
export interface Cancellation {
  throwIfAborted(): void;
}

export interface ReadOptions {
  /** Checked at least per chunk or read buffer; the read then rejects with the signal's reason. */
  readonly signal?: Cancellation;
  /** Reads a part of the log only; it must lie between two of the places where its format can be cut. @default all */
  readonly range?: ByteRange;
  /** Offset up to which the source is done. */
  readonly onProgress?: (bytesDone: number) => void;
  /** When the log was taken, in milliseconds since 1970: times without a year are not later. @default the present */
  readonly now?: number;
  /** Also look for records in unused space (deleted or overwritten ones). @default false */
  readonly recoverSlack?: boolean;
  /** Also check the checksums that the format has; a wrong one is a problem, nothing more. @default false */
  readonly verifyChecksums?: boolean;
}

/**
 * Reads a log, record by record, in bounded memory. Damage is counted in the report and never
 * thrown; only the source's own I/O errors and cancellation reject.
 */
export type Reader = (
  source: ByteSource,
  tables: EventTables,
  visit: (event: LogEvent) => void,
  options?: ReadOptions,
) => Promise<ReadReport>;
