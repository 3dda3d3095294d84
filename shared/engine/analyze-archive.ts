import type { AnalyzeOptions } from './analyze-options.ts';
import { Correlator } from './correlation/correlator.ts';
import type { CorrelatedMatch } from './correlation/match-collector.ts';
import type { Analysis, Sample } from './findings.ts';
import { joinParts, PartAnalyzer, type PartialAnalysis } from './part-analyzer.ts';
import { type LogPart, supplySamples } from './read-samples.ts';
import { type Archive, type ArchiveEntry, archiveLimits, openArchive } from './readers/compressed/open-archive.ts';
import { openLog } from './readers/open-log.ts';
import { usualLimits } from './readers/compressed/reading-limits.ts';
import { detectLogType, headOf, logTypeOf } from './readers/detect-log-type.ts';
import type { LogType } from './readers/log-type.ts';
import type { ByteSource, ReadProblem } from './readers/reader.ts';
import { readerFor } from './readers/readers.ts';
import { UnsupportedLogError } from './readers/unsupported-log-error.ts';
import { losesRecords } from './unread.ts';

/** Names of entries in one message. */
const mostNamed = 5;

/**
 * Analyses the logs in a zip archive as parts of one, each by its own content. Where a type is asked for that
 * the archive itself does not tell, what tells none in it is taken for that. Samples name their file, and correlations see the events of all of them in order of
 * time. What is not opened, and what is no log, is told. Rejects as `analyze` does.
 */
export async function analyzeArchive(source: ByteSource, options: AnalyzeOptions): Promise<Analysis> {
  const { limits = usualLimits } = options;
  const bounds = { ...archiveLimits, ratio: limits.ratio, totalBytes: limits.unpackedBytes };
  const archive = await openArchive(source, bounds);
  const { logType: asked } = options;
  const isTold = asked === 'auto' || asked === detectLogType(await headOf(source));
  const logs = new ArchiveLogs(source, archive, options, isTold ? 'unknown' : asked);
  for (const [part, entry] of archive.entries.entries()) {
    options.signal?.throwIfAborted();
    await logs.read(entry, part);
  }
  await logs.supplySamples();
  return logs.result();
}

/** What was found in the entries of one archive. */
class ArchiveLogs {
  readonly #archive: Archive;
  readonly #options: AnalyzeOptions;
  readonly #correlator: Correlator;
  readonly #partials: PartialAnalysis[] = [];
  readonly #problems: ReadProblem[] = [];
  readonly #unknown: string[] = [];
  /** How to read each entry again. */
  readonly #parts = new Map<number, LogPart>();
  /** Bytes of the archive for each byte of its logs. */
  readonly #share: number;
  #done = 0;
  /** Bytes of raw output that entries may still have. */
  #rawLeft: number;
  /** What is taken for the type of entries that tell none. */
  readonly #otherwise: LogType;
  #logType: LogType | undefined;

  constructor(source: ByteSource, archive: Archive, options: AnalyzeOptions, otherwise: LogType) {
    this.#otherwise = otherwise;
    this.#archive = archive;
    this.#options = options;
    this.#rawLeft = options.raw?.maxBytes ?? 0;
    this.#correlator = new Correlator(options.rules, options);
    this.#share =
      source.size /
      Math.max(
        1,
        archive.entries.reduce((sum, { size }) => sum + size, 0),
      );
  }

  async read(entry: ArchiveEntry, part: number): Promise<void> {
    const { rules, onProgress, ...options } = this.#options;
    const { name, size, modified } = entry;
    const opened = await openLog(entry.source, 'auto', this.#options.limits);
    const known = await logTypeOf(opened.source, 'auto');
    const logType = known === 'unknown' ? this.#otherwise : known;
    if (readerFor(logType) === undefined) {
      this.#unknown.push(name);
    } else {
      const raw = options.raw && { ...options.raw, maxBytes: this.#rawLeft, file: name };
      const analyzer = new PartAnalyzer(rules, logType, { ...options, ...(raw && { raw }) }, (_, matches) =>
        this.#correlator.add(matches.map((match) => matchIn(name, match))),
      );
      this.#options.onReading?.(() => analyzer.soFar());
      try {
        const progress = (offset: number): void => onProgress?.(Math.floor((this.#done + offset) * this.#share));
        const own = { ...options, ...(modified !== null && { now: modified }), onProgress: progress };
        await analyzer.read(opened.source, part, opened.options(own));
        this.#add(name, analyzer.result(), opened.problems());
        this.#logType ??= logType;
        this.#parts.set(part, { source: opened.source, logType, options: own, file: name });
      } finally {
        analyzer.release();
      }
    }
    this.#done += size;
    onProgress?.(Math.floor(this.#done * this.#share));
  }

  async supplySamples(): Promise<void> {
    await supplySamples(this.#correlator, (part) => this.#parts.get(part)!);
  }

  result(): Analysis {
    const { rules } = this.#options;
    const problems = [...this.#refused(), ...this.#problems];
    if (this.#logType === undefined && this.#archive.refused.length === 0) throw new UnsupportedLogError('unknown');
    const logType = this.#logType ?? 'unknown';
    const analysis = joinParts(rules, logType, this.#options, this.#partials, this.#correlator, problems);
    const damaged = this.#logType === undefined ? problems : this.#problems.filter(losesRecords);
    const [first] = analysis.events === 0 ? damaged : [];
    return first === undefined ? analysis : { ...analysis, unread: first.message };
  }

  #add(name: string, { reports, collected, ...rest }: PartialAnalysis, others: readonly ReadProblem[]): void {
    for (const { bytes } of rest.raw?.parts ?? []) this.#rawLeft = Math.max(0, this.#rawLeft - bytes.length);
    for (const problem of [...reports.flatMap((report) => report.problems), ...others]) {
      this.#problems.push({ ...problem, message: `${name}: ${problem.message}` });
    }
    this.#partials.push({
      ...rest,
      // Offsets are those of the entry, so that its problems are not joined with those of others.
      reports: reports.map(({ records, part }) => ({ records, part, problems: [] })),
      collected: collected.map((one) => ({
        ...one,
        samples: one.samples.map(({ order, sample }) => ({ order, sample: sampleIn(name, sample) })),
      })),
    });
  }

  /** What was not read, by reason. */
  #refused(): ReadProblem[] {
    const names = new Map<string, string[]>();
    for (const { name, reason } of this.#archive.refused) names.set(reason, [...(names.get(reason) ?? []), name]);
    if (this.#unknown.length > 0) names.set('it is no known log', this.#unknown);
    return [...names].map(([reason, all]) => {
      const shown = all.filter((name) => name !== '').slice(0, mostNamed);
      const list = shown.length === 0 ? '' : `: ${shown.join(', ')}${all.length > shown.length ? ' and others' : ''}`;
      const what = all.includes('') ? 'The archive was not read' : 'What is in the archive was not read';
      return { code: 'archive-entry', message: `${what}, as ${reason}${list}.`, offset: 0, count: all.length };
    });
  }
}

function sampleIn(file: string, sample: Sample): Sample {
  return { ...sample, fields: { ...sample.fields, _file: file } };
}

function matchIn(file: string, match: CorrelatedMatch): CorrelatedMatch {
  return match.sample === null ? match : { ...match, sample: sampleIn(file, match.sample) };
}
