import { analyze, type AnalyzeOptions, type LoadedRules, UnsupportedLogError } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { AnalyzedFile } from './report.ts';

/** A file that could not be analysed; the message says why. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  EISDIR: 'it is a folder; name the files in it',
};

/** Hashes and analyses one file; rejects with a `FileError` when it cannot be read or is no known log. */
export async function analyzeFile(
  file: string,
  rules: LoadedRules,
  options: Pick<AnalyzeOptions, 'logType' | 'maxSamples'>,
): Promise<AnalyzedFile> {
  const started = performance.now();
  try {
    const entry = await stat(file);
    if (entry.isDirectory()) throw new FileError(`${file}: ${reasons.EISDIR}`);
    if (!entry.isFile()) throw new FileError(`${file}: it is no ordinary file`);
    const sha256 = await digest(file);
    const source = await fileSource(file);
    try {
      const analysis = await analyze(source, { ...options, rules: rules.rules });
      return { file, sha256, analysis, rules, durationMs: Math.round(performance.now() - started) };
    } finally {
      await source.close();
    }
  } catch (error) {
    throw asFileError(file, error);
  }
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** What the file system and the engine refuse, as a sentence; everything else is a bug and stays. */
export function asFileError(file: string, error: unknown): unknown {
  if (error instanceof UnsupportedLogError) return new FileError(`${file}: ${error.message}`, { cause: error });
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const reason = 'code' in error ? reasons[String(error.code)] : undefined;
  return new FileError(`${file}: ${reason ?? error.message}`, { cause: error });
}
