import { severities } from '@svc/domain';
import { type Analysis, UnsupportedLogError } from '@svc/engine';
import type { AnalyzeFileOptions } from '@svc/engine/node';
import { asFileError, FileError } from '../file-error.ts';
import type { Input } from '../inputs/find-inputs.ts';
import { type Log, type OpenedInput, openInput } from '../inputs/open-input.ts';
import type { AnalyzedLog } from '../report.ts';

export interface AnalyzeInputsOptions extends Omit<AnalyzeFileOptions, 'signal' | 'onProgress' | 'now'> {
  readonly signal: AbortSignal;
  /** The least severe findings to keep. */
  readonly level: (typeof severities)[number];
  /** Whether to hash the logs. */
  readonly digest: boolean;
}

/** Told what becomes of each input, in their order. */
export interface AnalysisListener {
  analyzed(log: AnalyzedLog): Promise<void>;
  /** A file that was found, not named, and is no known log. */
  skipped(name: string): void;
  failed(error: FileError): void;
  /** Inputs and bytes of them done so far, and the log in hand. */
  progress(inputsDone: number, bytesDone: number, name: string): void;
}

/**
 * Analyses inputs one after another. What is wrong with one of them is told and stops no other; rejects
 * with the signal's reason.
 */
export async function analyzeInputs(
  inputs: readonly Input[],
  options: AnalyzeInputsOptions,
  listener: AnalysisListener,
): Promise<void> {
  let done = 0;
  for (const [at, input] of inputs.entries()) {
    options.signal.throwIfAborted();
    const before = done;
    const progress = (bytes: number, name: string): void => listener.progress(at, before + bytes, name);
    progress(0, input.name);
    try {
      const opened = await openInput(input);
      try {
        await analyzeOpened(input, opened, options, listener, progress);
      } finally {
        await opened.close();
      }
    } catch (error) {
      listener.failed(fileErrorOf(input.name, error));
    }
    done += input.bytes;
  }
}

async function analyzeOpened(
  input: Input,
  { logs, refused, isArchive }: OpenedInput,
  options: AnalyzeInputsOptions,
  listener: AnalysisListener,
  progress: (bytesDone: number, name: string) => void,
): Promise<void> {
  for (const error of refused) {
    if (input.isNamed) listener.failed(error);
    else listener.skipped(error.message);
  }
  const isFound = isArchive || !input.isNamed;
  let done = 0;
  let known = 0;
  for (const log of logs) {
    const share = log.bytesOfInput / Math.max(1, log.bytes);
    const onProgress = (bytes: number): void => progress(done + Math.min(bytes, log.bytes) * share, log.name);
    try {
      await listener.analyzed(await analyzeLog(log, options, onProgress));
      known++;
    } catch (error) {
      if (isFound && error instanceof UnsupportedLogError) listener.skipped(log.name);
      else listener.failed(fileErrorOf(log.name, error));
    }
    done += log.bytesOfInput;
  }
  if (known === 0 && isArchive && input.isNamed && refused.length === 0) {
    listener.failed(new FileError(`${input.name}: no known log is in it`));
  }
}

async function analyzeLog(
  log: Log,
  { level, digest, ...options }: AnalyzeInputsOptions,
  onProgress: (bytes: number) => void,
): Promise<AnalyzedLog> {
  const started = performance.now();
  const analysis = atLeast(level, await log.analyze({ ...options, onProgress }));
  const sha256 = digest ? await log.digest(options.signal) : null;
  const durationMs = Math.round(performance.now() - started);
  return { file: log.name, bytes: log.bytes, sha256, analysis, durationMs };
}

function atLeast(level: AnalyzeInputsOptions['level'], analysis: Analysis): Analysis {
  const least = severities.indexOf(level);
  return { ...analysis, findings: analysis.findings.filter(({ severity }) => severities.indexOf(severity) <= least) };
}

/** Throws what is not the fault of the file. */
function fileErrorOf(name: string, error: unknown): FileError {
  const failure = asFileError(name, error);
  if (failure instanceof FileError) return failure;
  throw failure;
}
