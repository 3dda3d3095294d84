import { analyze, type Analysis, type ArchiveEntry, type ByteSource, isZip, openArchive } from '@svc/engine';
import { analyzeFile, type AnalyzeFileOptions, fileSource } from '@svc/engine/node';
import { createHash } from 'node:crypto';
import { FileError } from '../file-error.ts';
import type { Input } from './find-inputs.ts';

/** One log to analyse: a file, or an entry of an archive. */
export interface Log {
  /** As it is called in reports; an entry's name follows that of its archive. */
  readonly name: string;
  readonly bytes: number;
  /** Bytes that it takes of the input it lies in. */
  readonly bytesOfInput: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly modified: number;
  readonly source: ByteSource;
  /** Rejects as the engine's `analyze` does. Progress counts bytes of the log. */
  analyze(options: AnalyzeFileOptions): Promise<Analysis>;
  /** SHA-256 of the log, in hexadecimal digits. */
  digest(signal: AbortSignal): Promise<string>;
}

export interface OpenedInput {
  readonly logs: readonly Log[];
  /** What of an archive cannot be read, with the reason. */
  readonly refused: readonly FileError[];
  readonly isArchive: boolean;
  close(): Promise<void>;
}

const stepBytes = 1024 * 1024;

/** Opens a file, which is the log itself or a zip archive of logs; rejects with the file system's error. */
export async function openInput(input: Input): Promise<OpenedInput> {
  const source = await fileSource(input.path);
  const close = () => source.close();
  try {
    if (!(await beginsArchive(source))) {
      return { logs: [fileLog(input, source)], refused: [], isArchive: false, close };
    }
    const { entries, refused } = await openArchive(source);
    const packedShare =
      input.bytes /
      Math.max(
        1,
        entries.reduce((sum, { size }) => sum + size, 0),
      );
    return {
      logs: entries.map((entry) => entryLog(input, entry, packedShare)),
      refused: refused.map(({ name, reason }) => new FileError(`${entryName(input, name)}: ${reason}`)),
      isArchive: true,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a file is an archive; one that cannot be read is none. */
export async function isArchive({ path }: Input): Promise<boolean> {
  try {
    const source = await fileSource(path);
    return await beginsArchive(source).finally(() => source.close());
  } catch {
    return false;
  }
}

async function beginsArchive(source: ByteSource): Promise<boolean> {
  const head = new Uint8Array(4);
  return isZip(head.subarray(0, await source.read(0, head)));
}

function fileLog({ path, name, bytes, modified }: Input, source: ByteSource): Log {
  return {
    name,
    bytes,
    bytesOfInput: bytes,
    modified,
    source,
    analyze: (options) => analyzeFile(path, { ...options, now: modified }),
    digest: (signal) => digest(source, signal),
  };
}

function entryLog(input: Input, { name, size, modified, source }: ArchiveEntry, packedShare: number): Log {
  const now = modified ?? input.modified;
  return {
    name: entryName(input, name),
    bytes: size,
    bytesOfInput: size * packedShare,
    modified: now,
    source,
    analyze: (options) => analyze(source, { ...options, now }),
    digest: (signal) => digest(source, signal),
  };
}

function entryName(input: Input, name: string): string {
  return name === '' ? input.name : `${input.name}/${name}`;
}

async function digest(source: ByteSource, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let [step, next] = [new Uint8Array(stepBytes), new Uint8Array(stepBytes)];
  signal.throwIfAborted();
  let reading = source.read(0, step);
  for (let at = 0; ;) {
    const count = await reading;
    signal.throwIfAborted();
    if (count === 0) return hash.digest('hex');
    at += count;
    // Read while what came before is hashed.
    reading = source.read(at, next);
    hash.update(step.subarray(0, count));
    [step, next] = [next, step];
  }
}
