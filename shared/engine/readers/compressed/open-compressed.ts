import type { ByteSource, ReadOptions, ReadProblem } from '../reader.ts';
import { GunzipSource, isGzip } from './gunzip.ts';

const messages = {
  'gzip-damaged': 'The compressed file is cut or damaged; what came before was read.',
  'gzip-ratio': 'The compressed file unpacks to more than 200 times its size and was read no further.',
} as const;

/** A log as its readers take it. */
export interface OpenedLog {
  readonly source: ByteSource;
  /** The caller's options, whose progress counts the bytes of the file itself. */
  options(own: ReadOptions): ReadOptions;
  /** What was wrong with the file around the log; to be asked for after reading. */
  problems(): readonly ReadProblem[];
}

/** Opens a log that may be gzip, of which the content is the log. */
export async function openCompressed(source: ByteSource): Promise<OpenedLog> {
  const head = new Uint8Array(3);
  await source.read(0, head);
  if (!isGzip(head)) return { source, options: (own) => own, problems: () => [] };
  const opened = new GunzipSource(source);
  return {
    source: opened,
    options: ({ onProgress, ...own }) => ({ ...own, onProgress: () => onProgress?.(opened.bytesRead) }),
    problems: () => {
      const { damage, bytesRead } = opened;
      return damage === undefined ? [] : [{ code: damage, message: messages[damage], offset: bytesRead, count: 1 }];
    },
  };
}
