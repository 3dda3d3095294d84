import { evtxCuts } from './evtx/evtx-cuts.ts';
import type { LogType } from './log-type.ts';
import type { ByteSource } from './reader.ts';

/** Finds where ranges of about `size` bytes begin that can be read each by itself; the first begins at 0. */
export type FindCuts = (source: ByteSource, size: number) => Promise<readonly number[]>;

const finders: Partial<Record<LogType, FindCuts>> = {
  evtx: evtxCuts,
};

/** How a kind of log is cut into ranges; undefined where it is read in one piece. */
export function cutsFor(logType: LogType): FindCuts | undefined {
  return finders[logType];
}
