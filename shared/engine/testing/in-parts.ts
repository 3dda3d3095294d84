import type { AnalyzeOptions } from '../analyze-options.ts';
import { Correlator } from '../correlation/correlator.ts';
import { PartOrder } from '../correlation/part-order.ts';
import type { Analysis } from '../findings.ts';
import { joinParts, PartAnalyzer } from '../part-analyzer.ts';
import { cutsFor } from '../readers/cuts.ts';
import type { LogType } from '../readers/log-type.ts';
import { withUnread } from '../unread.ts';
import { sourceOf } from './read-all.ts';

/**
 * Reads ranges of about `size` bytes, each by the next analyzer of so many, and joins what they found, as
 * threads do; null where one of them says that it goes on in the next.
 */
export async function inParts(
  bytes: Uint8Array,
  options: AnalyzeOptions & { readonly logType: LogType },
  size: number,
  analyzers: number,
): Promise<Analysis | null> {
  const { rules, logType } = options;
  const source = sourceOf(bytes);
  const cuts = await cutsFor(logType)!(source, size);
  const correlator = new Correlator(rules, options);
  const ordered = new PartOrder(correlator.add);
  const parts = Array.from({ length: analyzers }, () => new PartAnalyzer(rules, logType, options, ordered.take));
  try {
    for (const [part, from] of cuts.entries()) {
      const range = { from, to: cuts[part + 1] ?? bytes.length };
      const { isOpen } = await parts[(part * 7) % analyzers]!.read(source, part, { ...options, range });
      if (isOpen && range.to < bytes.length) return null;
    }
    const partials = parts.map((analyzer) => structuredClone(analyzer.result()));
    return await withUnread(source, joinParts(rules, logType, options, partials, correlator));
  } finally {
    for (const analyzer of parts) analyzer.release();
  }
}
