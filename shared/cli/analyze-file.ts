import { analyze, type AnalyzeOptions, type LoadedRules } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { asFileError, FileError } from './file-error.ts';
import type { AnalyzedFile } from './report.ts';

/** Hashes and analyses one file; rejects with a `FileError` when it cannot be read or is no known log. */
export async function analyzeFile(
  file: string,
  rules: LoadedRules,
  options: Pick<AnalyzeOptions, 'logType' | 'maxSamples'>,
): Promise<AnalyzedFile> {
  const started = performance.now();
  try {
    const entry = await stat(file);
    if (entry.isDirectory()) throw new FileError(`${file}: it is a folder`);
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
