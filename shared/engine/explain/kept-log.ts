import type { OutputRecord } from '../events/log-event.ts';
import type { ByteSource } from '../readers/reader.ts';
import type { ExplainOptions } from './explain-record.ts';

/** Fields that a reader has added to a record. */
type Added = '_offset' | '_file' | '_recovered';

/**
 * Kept records as a log of their flat forms, each different one once: those of Windows tell by themselves where they
 * are from; for others, rules of every log source are tried whose fields they have.
 */
export function keptLog(
  records: readonly Readonly<Record<string, unknown>>[],
): [source: ByteSource, options: Pick<ExplainOptions, 'logSource'> & { readonly logType: 'json_evtx' | 'json' }] {
  const isWindows = records.every((record) => 'Channel' in record && 'EventID' in record);
  const lines = new Set(
    records.map((record) => {
      const { _offset, _file, _recovered, ...own } = record as OutputRecord & Partial<Record<Added, unknown>>;
      return `${JSON.stringify(own)}\n`;
    }),
  );
  const bytes = new TextEncoder().encode([...lines].join(''));
  const read: ByteSource['read'] = async (offset, into) => {
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    return part.length;
  };
  const source: ByteSource = { size: bytes.length, read };
  return [source, isWindows ? { logType: 'json_evtx' } : { logType: 'json', logSource: 'any' }];
}
