import { analyze } from '../analyze.ts';
import type { LogEvent } from '../events/log-event.ts';
import { Matcher } from '../matching/matcher.ts';
import { archiveLimits, openArchive } from '../readers/compressed/open-archive.ts';
import { cutsFor } from '../readers/cuts.ts';
import { detectLogType } from '../readers/detect-log-type.ts';
import { EvtxEvent } from '../readers/evtx/evtx-event.ts';
import { eventJson } from '../readers/evtx/render-json.ts';
import { eventXml } from '../readers/evtx/render-xml.ts';
import type { LogType } from '../readers/log-type.ts';
import { UnsupportedLogError } from '../readers/unsupported-log-error.ts';
import type { ByteSource, EventTables } from '../readers/reader.ts';
import { readerFor } from '../readers/readers.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { inParts } from './in-parts.ts';
import { freshTables, sourceOf } from './read-all.ts';

/** When the logs are said to be taken, so that the same input always gives the same. */
const now = Date.UTC(2024, 0, 1);
/** Events of an input that are also rendered, which takes most of the time. */
const rendered = 1;
const mostUnpacked = 1024 * 1024;

/** Inputs after which `read` begins with fresh tables; those of `analyze` stay, as in a service. */
const inputsPerTables = 2000;

/**
 * Does to inputs all that the engine can do to one, and throws where it does not keep its promises.
 * What the engine keeps from input to input stays, as in a process that analyses one log after another.
 */
export class Exercise {
  readonly #rules: RuleSet;
  #tables!: EventTables;
  #matcher!: Matcher;
  #left = 0;

  constructor(rules: RuleSet) {
    this.#rules = rules;
  }

  /** Reads the bytes as that kind of log, matches and renders; returns the number of records. */
  async read(logType: LogType, bytes: Uint8Array, recoverSlack = false): Promise<number> {
    const read = readerFor(logType);
    if (read === undefined) throw new Error(`there is no reader for ${logType}`);
    if (--this.#left < 0 || this.#matcher.isFull) this.#renew();
    let seen = 0;
    const visit = (event: LogEvent): void => {
      this.#matcher.match(event, () => {});
      if (seen++ < rendered) render(event);
    };
    const { records, problems } = await read(sourceOf(bytes), this.#tables, visit, {
      now,
      recoverSlack,
      verifyChecksums: true,
    });
    // Some records make several events.
    if (records > seen) throw new Error(`${records} records were reported, ${seen} events visited`);
    for (const { offset, code } of problems) {
      if (!(offset >= 0 && offset <= bytes.length)) throw new Error(`${code} lies at ${offset} of ${bytes.length}`);
    }
    return records;
  }

  /** Analyses the bytes, whatever they are, as a caller would; returns the number of records. */
  async analyze(source: ByteSource): Promise<number> {
    const logType = detectLogType(await head(source));
    if (logType === 'unknown') return 0;
    const options = { rules: this.#rules, logType: 'auto', maxSamples: 2, now } as const;
    try {
      const { events, findings } = await analyze(source, options);
      JSON.stringify(findings);
      return events;
    } catch (error) {
      // Damage may hide from the analysis what the first bytes still show.
      if (error instanceof UnsupportedLogError) return 0;
      throw error;
    }
  }

  /** Analyses the bytes at once and in parts of about so many bytes; returns the number of records. */
  async parts(bytes: Uint8Array, size: number): Promise<number> {
    const logType = detectLogType(bytes);
    if (cutsFor(logType) === undefined) return 0;
    const options = { rules: this.#rules, logType, maxSamples: 2, statistics: true, census: {}, now };
    const whole = await analyze(sourceOf(bytes), options);
    const joined = await inParts(bytes, options, size, 2);
    if (joined === null || JSON.stringify(joined) === JSON.stringify(whole)) return whole.events;
    throw new Error(`parts of ${logType} give something else than the whole`);
  }

  /** Analyses what is in a zip archive; returns the number of records. */
  async unpack(bytes: Uint8Array): Promise<number> {
    const { entries } = await openArchive(sourceOf(bytes), { ...archiveLimits, totalBytes: mostUnpacked });
    let records = 0;
    for (const { source } of entries) records += await this.analyze(source);
    return records;
  }

  #renew(): void {
    this.#left = inputsPerTables;
    this.#tables = freshTables();
    this.#matcher = new Matcher(this.#rules.rules, this.#tables);
  }
}

async function head(source: ByteSource): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(65_536, source.size));
  return bytes.subarray(0, await source.read(0, bytes));
}

function render(event: LogEvent): void {
  JSON.stringify([event.route.index, event.head(), event.toRecord()]);
  event.keywords((id) => event.values.text(id) === '\u0000');
  if (!(event instanceof EvtxEvent)) return;
  JSON.parse(eventJson(event));
  eventXml(event);
}
