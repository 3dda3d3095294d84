import { JsonFramer } from '../readers/json/json-framer.ts';
import { JsonScan } from '../readers/json/json-scan.ts';
import { plainValue, treeOf } from '../readers/json/json-tree.ts';
import { isObject, type JsonObject, type JsonValue, parseObject } from '../readers/json/json-value.ts';
import { readRows } from '../readers/csv/read-csv.ts';
import { readRecords } from '../readers/read-records.ts';
import type { ByteSource, ReadOptions, ReadReport } from '../readers/reader.ts';
import { headOf } from '../readers/detect-log-type.ts';
import { chainsawMatches, isChainsaw } from './chainsaw.ts';
import { chopChopGoMatch, isChopChopGo } from './chopchopgo.ts';
import { HayabusaTimeline, isHayabusa } from './hayabusa.ts';
import type { TakeMatch, ToldMatch } from './told-match.ts';
import type { ToldRule } from './told-rule.ts';
import { isZircolite, isZircoliteTable, zircoliteMatch, zircoliteRow, zircoliteRule } from './zircolite.ts';

/** Where Zircolite has the events of a rule. */
const listKeys: ReadonlySet<string> = new Set(['matches']);

/**
 * Reads the results of an external engine, whichever of them it is, one event and rule after another and in bounded
 * memory (detection-engine 5.3): JSON on lines, in an array or one document after another, cut off ones too, and tables.
 * What is no result is counted among the problems; rejects as readers do.
 */
export async function readMatches(source: ByteSource, take: TakeMatch, options?: ReadOptions): Promise<ReadReport> {
  const begin = new TextDecoder().decode((await headOf(source)).subarray(0, 64)).trim();
  // What an engine prints that has found nothing.
  if (begin === '' || begin === 'null' || begin === '[]') return { records: 0, problems: [] };
  return /^[{[]/.test(begin) ? readJson(source, take, options) : readTable(source, take, options);
}

/** Makes matches of one object; undefined where it is no result. */
type ToMatches = (object: JsonObject) => readonly ToldMatch[] | undefined;

async function readJson(source: ByteSource, take: TakeMatch, options?: ReadOptions): Promise<ReadReport> {
  const scan = new JsonScan();
  const toMatches = matcherOfObjects(options?.now);
  let framer: JsonFramer;
  let rule: ToldRule | undefined;
  let matches = 0;
  const toldBy = (bytes: Uint8Array, start: number, end: number): void => {
    rule = zircoliteRule(closed(bytes, start, end) ?? {});
  };
  const report = await readRecords(
    source,
    (tell) => (framer = new JsonFramer(tell, listKeys, undefined, toldBy)),
    (bytes, start, _end, offset) => {
      if (!scan.scan(bytes, start)) return 'record-malformed';
      const object = plainValue(treeOf(scan)) as JsonObject;
      const found = framer.isWrapped ? rule && [zircoliteMatch(rule, object)] : toMatches(object);
      if (found === undefined) return 'record-malformed';
      for (const match of found) take(match, offset);
      matches += found.length;
      return scan.isCut ? 'record-too-wide' : undefined;
    },
    options,
  );
  return { ...report, records: matches };
}

/** What an object has before its list, as an object. */
function closed(bytes: Uint8Array, start: number, end: number): JsonObject | undefined {
  const comma = bytes.subarray(start, end).lastIndexOf(0x2c);
  const head = bytes.slice(start, comma < 0 ? end : start + comma + 1);
  if (comma >= 0) head[head.length - 1] = 0x7d;
  const object = parseObject(head, 0, head.length) as JsonValue | undefined;
  return isObject(object) ? object : undefined;
}

function matcherOfObjects(now = Date.now()): ToMatches {
  const timeline = new HayabusaTimeline();
  return (object) => {
    const names = new Set(Object.keys(object));
    if (isHayabusa(names)) return listOf(timeline.match(object));
    if (isChainsaw(names)) return chainsawMatches(object);
    // A rule without events is one that has found nothing.
    if (isZircolite(names)) return [];
    return isChopChopGo(names) ? [chopChopGoMatch(object, now)] : undefined;
  };
}

function readTable(source: ByteSource, take: TakeMatch, options?: ReadOptions): Promise<ReadReport> {
  return readRows(
    source,
    (header) => {
      const toMatches = matcherOfRows(new Set(header), options?.now);
      if (toMatches === undefined) return undefined;
      return (row, offset) => {
        const found = toMatches(row);
        for (const match of found ?? []) take(match, offset);
        return found !== undefined;
      };
    },
    options,
  );
}

function matcherOfRows(header: ReadonlySet<string>, now = Date.now()): ToMatches | undefined {
  const timeline = new HayabusaTimeline();
  if (isHayabusa(header)) return (row) => listOf(timeline.match(row));
  if (isZircoliteTable(header)) return (row) => listOf(zircoliteRow(row));
  return isChopChopGo(header) ? (row) => [chopChopGoMatch(row, now)] : undefined;
}

function listOf(match: ToldMatch | undefined): readonly ToldMatch[] | undefined {
  return match && [match];
}
