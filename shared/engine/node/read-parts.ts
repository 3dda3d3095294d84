import { PartAnalyzer, type PartialAnalysis, type PartSink } from '../part-analyzer.ts';
import type { Cancellation } from '../readers/reader.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { fileSource } from './file-source.ts';
import { OpenPartError, type PartJob, takeNoMore, takePart } from './part-job.ts';
import { threadTime } from './thread-time.ts';

/** Values that a thread remembers, in bytes: what many threads take adds up, and remembering more was no faster. */
const valueBytes = 16 * 1024 * 1024;

/**
 * Reads parts of a file as long as there are any that no other thread has taken. Rejects with an
 * `OpenPartError` when one turns out not to end where the next can begin.
 */
export async function readParts(
  job: PartJob,
  rules: RuleSet,
  signal: Cancellation,
  onProgress: (bytesDone: number) => void,
  correlate: PartSink,
): Promise<PartialAnalysis> {
  const source = await fileSource(job.path);
  const analyzer = new PartAnalyzer(rules, job.logType, job.match, correlate, valueBytes);
  try {
    let before = 0;
    const spent = threadTime();
    for (let part = takePart(job); part !== undefined; part = takePart(job)) {
      const from = job.cuts[part]!;
      const range = { from, to: job.cuts[part + 1] ?? job.size };
      const done = before;
      const { isOpen } = await analyzer.read(source, part, {
        ...job.read,
        range,
        signal,
        onProgress: (offset) => onProgress(done + offset - from),
      });
      if (spent() > job.seconds) takeNoMore(job.control);
      if (isOpen && range.to < job.size) throw new OpenPartError('A part of the log goes on in the next');
      before += range.to - from;
    }
    return analyzer.result();
  } finally {
    analyzer.release();
    await source.close();
  }
}
