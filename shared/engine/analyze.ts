import { analyzeArchive } from './analyze-archive.ts';
import type { Analysis, FoundSoFar } from './findings.ts';
import { Correlator } from './correlation/correlator.ts';
import { joinParts, type MatchOptions, PartAnalyzer } from './part-analyzer.ts';
import { openCompressed } from './readers/compressed/open-compressed.ts';
import type { ReadingLimits } from './readers/compressed/reading-limits.ts';
import { isZip } from './readers/compressed/open-archive.ts';
import { logTypeOf } from './readers/detect-log-type.ts';
import { supplySamples } from './read-samples.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, ReadOptions } from './readers/reader.ts';
import type { RuleSet } from './sigma/rule-set.ts';
import { withUnread } from './unread.ts';

export interface AnalyzeOptions extends Omit<ReadOptions, 'range'>, MatchOptions {
  readonly rules: RuleSet;
  /** `auto` decides by content. */
  readonly logType: LogType | 'auto';
  /** @default what `usualLimits` says */
  readonly limits?: ReadingLimits;
  /** Given a way to ask what was found so far, as the reading of the log begins, or of each log in an archive. */
  readonly onReading?: (soFar: () => FoundSoFar) => void;
}

/**
 * Reads a log once and matches every record against the rules, in bounded memory. Damage in the log
 * is reported with the result, gzip is opened, and so are zip archives, whose logs are taken for one; rejects with `UnsupportedLogError`, with the source's own errors, and
 * with the signal's reason when cancelled.
 */
export async function analyze(source: ByteSource, options: AnalyzeOptions): Promise<Analysis> {
  options.signal?.throwIfAborted();
  const head = new Uint8Array(4);
  if (isZip(head.subarray(0, await source.read(0, head)))) return analyzeArchive(source, options);
  const { rules } = options;
  const opened = await openCompressed(source, options.limits);
  const logType = await logTypeOf(opened.source, options.logType);
  const correlator = new Correlator(rules, options);
  const analyzer = new PartAnalyzer(rules, logType, options, (_, matches) => correlator.add(matches));
  options.onReading?.(() => analyzer.soFar());
  try {
    await analyzer.read(opened.source, 0, opened.options(options));
    await supplySamples(correlator, () => ({ source: opened.source, logType, options }));
    const analysis = joinParts(rules, logType, options, [analyzer.result()], correlator, opened.problems());
    return await withUnread(opened.source, analysis);
  } finally {
    analyzer.release();
  }
}
