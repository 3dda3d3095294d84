import { eachField, headerOf, isOpenAfter, isRemark } from '../csv/csv-fields.ts';
import { parseObject } from '../json/json-value.ts';
import { recordFramer, takeOutOf } from './carried.ts';
import { carriersOf, lineColumnOf } from './carriers.ts';
import type { ExportForm } from './export-source.ts';
import { beginsBlocks, WindowsBlocks } from './windows-blocks.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A form that an export may have, and what the log in it then begins with. */
export interface PossibleExport {
  readonly form: ExportForm;
  readonly begin: string;
}

/** The forms of an export that begins with a text, the likeliest first; none of most logs. */
export function exportsIn(text: string): readonly PossibleExport[] {
  if (beginsBlocks(text)) return blocksIn(text);
  if (!/^\s*(?:\[\s*)?\{/.test(text)) return tableIn(text);
  const bytes = encoder.encode(text);
  return [...recordsIn(bytes, false), ...recordsIn(bytes, true)];
}

function recordsIn(bytes: Uint8Array, isWrapped: boolean): PossibleExport[] {
  const framer = recordFramer(() => {}, isWrapped);
  if (!framer.next(bytes) || framer.isWrapped !== isWrapped) return [];
  const places: (readonly [start: number, end: number])[] = [[framer.start, framer.end]];
  const carriers = carriersOf(parseObject(bytes, framer.start, framer.end) ?? {});
  // Most logs are no export, of which the first record is enough.
  if (carriers.length === 0) return [];
  while (framer.next(bytes) && framer.isWrapped === isWrapped) places.push([framer.start, framer.end]);
  return carriers.map((carrier) => {
    const takeOut = takeOutOf(carrier);
    const lines = places.map(([start, end]) => decoder.decode(takeOut(bytes, start, end)));
    return { form: { kind: 'records', carrier, isWrapped }, begin: lines.join('\n') };
  });
}

function blocksIn(text: string): PossibleExport[] {
  const objects: string[] = [];
  const blocks = new WindowsBlocks((object) => objects.push(object));
  for (const line of text.trimStart().split(/\r?\n/)) {
    const bytes = encoder.encode(line);
    blocks.take(bytes, 0, bytes.length);
  }
  blocks.finish();
  return [{ form: { kind: 'blocks' }, begin: objects.join('\n') }];
}

/** A table by its header; its first row alone is looked at. */
function tableIn(text: string): PossibleExport[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.trim() !== '' && !isRemark(line));
  const header = headerOf(lines[at] ?? '');
  const column = header === undefined ? -1 : lineColumnOf(header.names);
  if (header === undefined || column < 0) return [];
  const bytes = encoder.encode(lines.slice(at + 1).join('\n'));
  let begin = '';
  let field = 0;
  const rowEnd = endOfRow(bytes, header.separator);
  eachField(bytes, 0, rowEnd, header.separator, (start, end) => {
    if (field++ === column) begin = decoder.decode(bytes.subarray(start, end)).replaceAll('""', '"');
  });
  return [{ form: { kind: 'table' }, begin }];
}

/** Place behind the first row, within whose quotes there may be line breaks; the end where it goes on. */
function endOfRow(bytes: Uint8Array, separator: number): number {
  for (let start = 0, isOpen = false; start < bytes.length;) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed;
    isOpen = isOpenAfter(bytes, start, end, separator, isOpen);
    if (!isOpen) return end;
    start = end + 1;
  }
  return bytes.length;
}
