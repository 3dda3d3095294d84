import type { Analysis } from './findings.ts';
import { Correlator } from './correlation/correlator.ts';
import { joinParts, type MatchOptions, PartAnalyzer } from './part-analyzer.ts';
import { openCompressed } from './readers/compressed/open-compressed.ts';
import { detectLogType } from './readers/detect-log-type.ts';
import { detectionBytes } from './readers/detection-bytes.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, ReadOptions } from './readers/reader.ts';
import type { RuleSet } from './sigma/rule-set.ts';

export interface AnalyzeOptions extends Omit<ReadOptions, 'range'>, MatchOptions {
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
}

/**
 * Reads a log once and matches every record against the rules, in bounded memory. Damage in the log
 * is reported with the result, and gzip is opened; rejects with `UnsupportedLogError`, with the source's own errors, and
 * with the signal's reason when cancelled.
 */
export async function analyze(source: ByteSource, options: AnalyzeOptions): Promise<Analysis> {
  options.signal?.throwIfAborted();
  const { rules } = options;
  const opened = await openCompressed(source);
  const logType = await logTypeOf(opened.source, options.logType);
  const correlator = new Correlator(rules, options.maxSamples);
  const analyzer = new PartAnalyzer(rules, logType, options, (_, matches) => correlator.add(matches));
  try {
    await analyzer.read(opened.source, 0, opened.options(options));
    return joinParts(rules, logType, options, [analyzer.result()], correlator, opened.problems());
  } finally {
    analyzer.release();
  }
}

/** The kind of log that is asked for, or the one that the content shows. */
export async function logTypeOf(source: ByteSource, asked: LogType | 'auto'): Promise<LogType> {
  if (asked !== 'auto') return asked;
  const head = new Uint8Array(Math.min(detectionBytes, source.size));
  return detectLogType(head.subarray(0, await source.read(0, head)));
}
