import type { Analysis } from './findings.ts';
import { headOf } from './readers/detect-log-type.ts';
import type { ByteSource, ReadProblem } from './readers/reader.ts';

/** Damage beside the records: a log that is empty may have it, too. */
const besideRecords = new Set(['file-version', 'file-checksum', 'file-chunk-count', 'chunk-checksum', 'chunk-empty']);
/** Problems that count lines which are no records of the type. */
const strange = new Set(['no-head', 'record-malformed']);
/** In text, at most one byte in so many is a control character. */
const mostControls = 50;

export function losesRecords({ code }: ReadProblem): boolean {
  return !besideRecords.has(code);
}

/**
 * Adds to an analysis why nothing could be read, if the input holds something, but not one record of its type. An
 * empty log of that type counts as read, and so does one that is damaged in part.
 */
export async function withUnread(source: ByteSource, analysis: Analysis): Promise<Analysis> {
  const damaged = analysis.problems.find(losesRecords);
  if (analysis.events === 0 && damaged !== undefined) return { ...analysis, unread: damaged.message };
  const doubtful = analysis.problems.reduce((sum, { code, count }) => sum + (strange.has(code) ? count : 0), 0);
  if (analysis.logType === 'evtx' || doubtful * 2 < analysis.events) return analysis;
  const head = await headOf(source);
  if (isBinary(head)) return { ...analysis, unread: 'It is not text.' };
  if (analysis.events > 0 || analysis.logType !== 'xml_evtx' || hasEventElements(head)) return analysis;
  return { ...analysis, unread: 'It has no Event elements.' };
}

/** Whether bytes cannot be text: too many control characters, and no mark of UTF-16. */
function isBinary(head: Uint8Array): boolean {
  if (isUtf16(head)) return false;
  const controls = head.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0);
  return controls * mostControls > head.length;
}

function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f;
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Whether XML has Event elements or is made for them; an empty text counts as an empty log. */
function hasEventElements(head: Uint8Array): boolean {
  const encoding = head[0] === 0xfe ? 'utf-16be' : isUtf16(head) ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(encoding).decode(head);
  return text.trim() === '' || /<(?:[\w.-]+:)?Events?[\s/>]/.test(text);
}
