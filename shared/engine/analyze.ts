import { analyzeArchive } from './analyze-archive.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Analysis } from './findings.ts';
import { Correlator } from './correlation/correlator.ts';
import { joinParts, PartAnalyzer } from './part-analyzer.ts';
import { openLog } from './readers/open-log.ts';
import { isZip } from './readers/compressed/open-archive.ts';
import { logTypeOf } from './readers/detect-log-type.ts';
import { supplySamples } from './read-samples.ts';
import type { ByteSource } from './readers/reader.ts';
import { withUnread } from './unread.ts';

/**
 * Reads a log once and matches every record against the rules, in bounded memory. Damage in the log
 * is reported with the result, gzip is opened, and so are zip archives, whose logs are taken for one; rejects with `UnsupportedLogError`, with the source's own errors, and
 * with the signal's reason when cancelled.
 */
export async function analyze(source: ByteSource, given: AnalyzeOptions): Promise<Analysis> {
  // Records that are read again tell the same times.
  const options = { ...given, now: given.now ?? Date.now() };
  options.signal?.throwIfAborted();
  const head = new Uint8Array(4);
  if (isZip(head.subarray(0, await source.read(0, head)))) return analyzeArchive(source, options);
  const { rules } = options;
  const opened = await openLog(source, options.logType, options.limits);
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
