import { EngineFailure, EngineUnavailable, type EngineInput } from '@svc/application/ports/detection-engine.ts';
import type { LogType } from '@svc/domain';
import { exportOf, isGzip, isZip } from '@svc/engine';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

export interface OpenedLog {
  /** A file that the engine can read. */
  readonly path: string;
  /** Of JSON: it is one array. */
  readonly isArray: boolean;
}

/** Enough to tell what a file is. */
const headBytes = 64 * 1024;
const jsonTypes: ReadonlySet<LogType> = new Set(['json_evtx', 'json_winlogbeat', 'journald']);

/** The log as other engines read it: unpacked. An archive is for the built-in engine alone. */
export async function inputOf(
  engine: string,
  { path, logType }: Pick<EngineInput, 'path' | 'logType'>,
  { folder, maxUnpackedBytes }: { readonly folder: string; readonly maxUnpackedBytes: number },
): Promise<OpenedLog> {
  const begin = await headOf(path);
  if (isZip(begin)) {
    throw new EngineUnavailable(`${engine} cannot read archives: not supported`);
  }
  const isPacked = isGzip(begin);
  const plain = isPacked ? join(folder, 'unpacked') : path;
  if (isPacked) await gunzip(engine, path, plain, maxUnpackedBytes);
  const head = isPacked ? await headOf(plain) : begin;
  if (exportOf(head) !== undefined) {
    throw new EngineUnavailable(`${engine} cannot read exports of other programs: not supported`);
  }
  return {
    path: plain,
    isArray: jsonTypes.has(logType) && head.toString().replace('\uFEFF', '').trimStart().startsWith('['),
  };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function gunzip(engine: string, from: string, to: string, maxBytes: number): Promise<void> {
  let left = maxBytes;
  const bounded = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      left -= piece.length;
      done(left < 0 ? new EngineFailure(`The log unpacks to more than ${engine} is given`) : null, piece);
    },
  });
  try {
    await pipeline(createReadStream(from), createGunzip(), bounded, createWriteStream(to));
  } catch (error) {
    if (error instanceof EngineFailure) throw error;
    throw new EngineFailure(`The log cannot be unpacked for ${engine}`, { cause: error });
  }
}
