import { type GzipDamage, GunzipSource, isGzip } from './compressed/gunzip.ts';
import { type ReadingLimits, TimedSource, usualLimits } from './compressed/reading-limits.ts';
import { deepestExport, exportOf, headOf } from './detect-log-type.ts';
import { ExportSource } from './exports/export-source.ts';
import type { LogType } from './log-type.ts';
import type { ByteSource, ReadOptions, ReadProblem } from './reader.ts';

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

/**
 * Opens a log that may be gzip, of which the content is the log, and that may be an export of a program which holds
 * the lines that were logged; of that these are the log.
 * @param asked the kind of log that it is taken for; `auto` goes by content.
 */
export async function openLog(
  source: ByteSource,
  asked: LogType | 'auto',
  limits: ReadingLimits = usualLimits,
): Promise<OpenedLog> {
  const opened = await openExports(await openGzip(source, limits), asked);
  if (limits.isOver === undefined) return opened;
  const timed = new TimedSource(opened.source, limits.isOver);
  return { ...opened, source: timed, problems: () => [...opened.problems(), ...timed.problems()] };
}

async function openExports(outer: OpenedLog, asked: LogType | 'auto'): Promise<OpenedLog> {
  let opened = outer;
  for (let depth = 0; depth < deepestExport; depth++) {
    const inner = await openExport(opened, asked);
    if (inner === undefined) break;
    opened = inner;
  }
  return opened;
}

/** The log in an export; undefined where it is none, or is to be read as the table or the objects that it is. */
async function openExport(outer: OpenedLog, asked: LogType | 'auto'): Promise<OpenedLog | undefined> {
  const found = exportOf(await headOf(outer.source));
  if (found === undefined || (asked !== found.logType && isOuterType(asked))) return undefined;
  const source = new ExportSource(outer.source, found.form);
  return {
    source,
    options: ({ onProgress, ...own }) => {
      const told = outer.options({ ...own, ...(onProgress && { onProgress }) }).onProgress;
      return { ...own, onProgress: () => told?.(source.bytesRead) };
    },
    problems: () => [...outer.problems(), ...source.problems()],
  };
}

/** Whether all exports can be read as logs of a type. */
function isOuterType(type: LogType | 'auto'): boolean {
  return type === 'json' || type === 'csv';
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
