import { areResults } from '../external/are-results.ts';
import { archivedHeads } from './compressed/archived-heads.ts';
import { gunzippedHead, isGzip } from './compressed/gunzip.ts';
import { isZip } from './compressed/open-archive.ts';
import { headerOf } from './csv/csv-fields.ts';
import { beginsWithForm, detectAddedType } from './detect-added-type.ts';
import { detectionBytes } from './detection-bytes.ts';
import { exportsIn } from './exports/exports-in.ts';
import type { ExportForm } from './exports/export-source.ts';
import type { LogType } from './log-type.ts';
import type { ByteSource } from './reader.ts';

const evtxSignature = [0x45, 0x6c, 0x66, 0x46, 0x69, 0x6c, 0x65, 0x00];
const sampleLines = 10;
/** Exports of exports that are opened. */
export const deepestExport = 3;
const namespaceWithin = 8_192;
const eventNamespace = 'schemas.microsoft.com/win/2004/08/events/event';
/** Some programs number the events that they print. */
const eventRoot = /^\s*(?:Record \d+\s+)?(?:<\?xml[^>]*\?>\s*)?<(?:[\w.-]+:)?Events?[\s/>]/;
const auditRecord = /type=(?:SYSCALL|EXECVE|PROCTITLE)|audit\(/;
const syslogStart =
  /^(?:<\d{1,3}>(?:\d{1,2}\s)?\s*)?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)/;

/**
 * Kind of log by the first {@link detectionBytes} of a file, never by its name (resolved-platform 1).
 * Beyond the table there, JSON that does not stand on one line is known by the keys of its first
 * object, where the table says `unknown`, and an archive by the first log in it.
 */
export function detectLogType(head: Uint8Array): LogType {
  if (isZip(head)) return archivedType(head.subarray(0, detectionBytes));
  const bytes = isGzip(head) ? gunzippedHead(head) : head.subarray(0, detectionBytes);
  if (evtxSignature.every((byte, i) => bytes[i] === byte)) return 'evtx';
  const text = decode(bytes);
  return exportIn(text)?.logType ?? typeOfText(text);
}

/** An export of a program that holds the lines or records that were logged, and what kind of log these are. */
export interface FoundExport {
  readonly form: ExportForm;
  readonly logType: LogType;
}

/** What an export begins with these bytes, which are not compressed; undefined where they are of a log itself. */
export function exportOf(head: Uint8Array): FoundExport | undefined {
  return exportIn(decode(head.subarray(0, detectionBytes)));
}

function exportIn(text: string, depth = 0): FoundExport | undefined {
  const possible = depth < deepestExport ? exportsIn(text) : [];
  if (possible.length === 0) return undefined;
  const own = typeOfText(text);
  if (own === 'detection_results') return undefined;
  for (const { form, begin } of possible) {
    const logType = exportIn(begin, depth + 1)?.logType ?? typeOfText(begin);
    // Lines of a program's own are better read with what stands beside them, and objects where they are known there.
    const isObject = form.kind === 'records' && !form.carrier.isText;
    const isKnown = isObject ? isAnyText(own) && logType !== 'unknown' : !isAnyText(logType);
    if (isKnown) return { form, logType };
  }
  return undefined;
}

function isAnyText(type: LogType): boolean {
  return type === 'unknown' || type === 'json' || type === 'csv';
}

function typeOfText(text: string): LogType {
  const sample = text.split(/\r\n|\n|\r/, sampleLines);
  if (beginsResults(text, sample[0] ?? '')) return 'detection_results';
  const known = knownType(text, sample);
  if (known === 'json_winlogbeat' && beginsWithForm(text)) return 'json_evtx';
  return known === 'unknown' ? detectAddedType(text, sample) : known;
}

/** The kind of log that is asked for, or the one that the content shows; an archive is none itself. */
export async function logTypeOf(source: ByteSource, asked: LogType | 'auto'): Promise<LogType> {
  if (asked !== 'auto') return asked;
  const head = await headOf(source);
  return isZip(head) ? 'unknown' : detectLogType(head);
}

/** The bytes that tell the kind of a log. */
export async function headOf(source: ByteSource): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(detectionBytes, source.size));
  return head.subarray(0, await source.read(0, head));
}

function archivedType(head: Uint8Array): LogType {
  for (const content of archivedHeads(head)) {
    const type = isZip(content) ? 'unknown' : detectLogType(content);
    if (type !== 'unknown') return type;
  }
  return 'unknown';
}

/** Whether the text is what an external engine has made of a log, which holds events like those of other types. */
function beginsResults(text: string, first: string): boolean {
  if (/^\s*(?:\[\s*)?\{/.test(text)) return areResults(firstObjectKeys(text));
  return /\b(?:Timestamp|datetime|rule_title)\b/.test(first) && areResults(headerOf(first)?.names ?? []);
}

/** By the table of resolved-platform 1, from its second row on. */
function knownType(text: string, sample: readonly string[]): LogType {
  const first = sample[0] ?? '';
  const keys = objectKeys(first);
  if (keys !== undefined) return jsonType(keys);
  if (first.startsWith('__CURSOR=')) return 'journald';
  if (sample.some((line) => line.includes('Linux-Sysmon'))) return 'sysmon_linux';
  if (eventRoot.test(text) && text.slice(0, namespaceWithin).includes(eventNamespace)) return 'xml_evtx';
  if (sample.some((line) => auditRecord.test(line))) return 'auditd';
  if (syslogStart.test(first)) return 'syslog';
  return jsonType(firstObjectKeys(text));
}

function jsonType(keys: readonly string[]): LogType {
  const has = (...names: string[]): boolean => names.some((name) => keys.includes(name));
  if (has('winlog', 'agent')) return 'json_winlogbeat';
  if (has('EventID', 'Event', 'System')) return 'json_evtx';
  if (has('EventCode') && has('LogName', 'Channel', 'SourceName')) return 'json_evtx';
  if (has('__REALTIME_TIMESTAMP', '__CURSOR')) return 'journald';
  if (has('MESSAGE') && (has('_HOSTNAME') || keys.some((key) => key.startsWith('_SYSTEMD')))) return 'journald';
  return 'unknown';
}

/** Keys of a line that is a JSON object; undefined for anything else. */
function objectKeys(line: string): readonly string[] | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return Object.keys(JSON.parse(line) as object);
  } catch {
    return undefined;
  }
}

/** Keys of the object that the text, or a JSON array in it, opens with, as far as the text goes. */
function firstObjectKeys(text: string): readonly string[] {
  const open = /^\s*(?:\[\s*)?\{/.exec(text);
  if (open === null) return [];
  const keys: string[] = [];
  // A string may end with the text, so that no quote is ever tried twice.
  const token = /"((?:[^"\\]|\\.?)*)(?:"(\s*:)?|$)|[{}[\]]/gs;
  token.lastIndex = open[0].length;
  for (let depth = 1, match = token.exec(text); depth > 0 && match !== null; match = token.exec(text)) {
    const [whole, string, colon] = match;
    if (string !== undefined) {
      if (depth === 1 && colon !== undefined) keys.push(string);
    } else {
      depth += whole === '{' || whole === '[' ? 1 : -1;
    }
  }
  return keys;
}

/** UTF-16 by its byte order mark, else UTF-8; bad bytes and the mark are dropped. */
function decode(bytes: Uint8Array): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes).replaceAll('\uFFFD', '');
}
