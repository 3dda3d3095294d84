import type { ByteSource, ReadOptions, ReadProblem } from '../reader.ts';
import { type GzipDamage, GunzipSource, isGzip } from './gunzip.ts';
import { type ReadingLimits, TimedSource, usualLimits } from './reading-limits.ts';

const mebibyte = 1024 * 1024;

function messageOf(damage: GzipDamage, { ratio, unpackedBytes }: ReadingLimits): string {
  if (damage === 'gzip-damaged') return 'The compressed file is cut or damaged; what came before was read.';
  const most = damage === 'gzip-ratio' ? `${ratio} times its size` : `${Math.floor(unpackedBytes / mebibyte)} MiB`;
  return `The compressed file unpacks to more than ${most} and was read no further.`;
}

/** A log as its readers take it. */
export interface OpenedLog {
  readonly source: ByteSource;
  /** The caller's options, whose progress counts the bytes of the file itself. */
  options(own: ReadOptions): ReadOptions;
  /** What was wrong with the file around the log; to be asked for after reading. */
  problems(): readonly ReadProblem[];
}

/** Opens a log that may be gzip, of which the content is the log. */
export async function openCompressed(source: ByteSource, limits: ReadingLimits = usualLimits): Promise<OpenedLog> {
  const opened = await openGzip(source, limits);
  if (limits.isOver === undefined) return opened;
  const timed = new TimedSource(opened.source, limits.isOver);
  return { ...opened, source: timed, problems: () => [...opened.problems(), ...timed.problems()] };
}

async function openGzip(source: ByteSource, limits: ReadingLimits): Promise<OpenedLog> {
  const head = new Uint8Array(3);
  await source.read(0, head);
  if (!isGzip(head)) return { source, options: (own) => own, problems: () => [] };
  const opened = new GunzipSource(source, limits);
  return {
    source: opened,
    options: ({ onProgress, ...own }) => ({ ...own, onProgress: () => onProgress?.(opened.bytesRead) }),
    problems: () => {
      const { damage, bytesRead } = opened;
      return damage === undefined
        ? []
        : [{ code: damage, message: messageOf(damage, limits), offset: bytesRead, count: 1 }];
    },
  };
}
