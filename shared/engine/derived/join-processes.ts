/** A process of a log with what is compared; what is not known is empty or null. */
export interface LoggedProcess {
  /** The log that tells of it. */
  readonly log: number;
  readonly guid: string;
  readonly pid: string;
  readonly parentPid: string;
  /** Base name, lower-case. */
  readonly image: string;
  readonly imageFull: string;
  readonly commandLine: string;
  /** Milliseconds since 1970, by the corrected clock. */
  readonly start: number | null;
}

/**
 * Why it is not sure that two logs tell of one process: the numbers of their parents cannot be compared, or their times;
 * these lie farther apart than two records of one start do; their paths differ; or a third could be the same as well.
 */
export const joinDoubts = ['parent', 'time', 'clock', 'path', 'several'] as const;
export type JoinDoubt = (typeof joinDoubts)[number];

/** Milliseconds between two records of one start: most, and most where clocks are in doubt. */
export const joinTolerance = { sure: 2000, doubtful: 60_000 } as const;

/** Of one number and within reach, so many that follow are looked at. */
const mostFollowing = 50;

/** Whether two logs may tell of the same process, with what speaks against it; null where they do not. */
export function sameProcess(a: LoggedProcess, b: LoggedProcess): JoinDoubt[] | null {
  if (a.guid !== '' && b.guid !== '') return a.guid === b.guid ? [] : null;
  // A log names a process once; but Sysmon and Security may lie in one file, and Security knows no GUID.
  if (a.log === b.log && (a.guid === '') === (b.guid === '')) return null;
  if (a.pid === '' || a.pid !== b.pid || a.image !== b.image) return null;
  if (differ(a.parentPid, b.parentPid) || differ(plain(a.commandLine), plain(b.commandLine))) return null;
  const apart = a.start === null || b.start === null ? null : Math.abs(a.start - b.start);
  if (apart !== null && apart > joinTolerance.doubtful) return null;
  const doubts: JoinDoubt[] = [];
  if (a.parentPid === '' || b.parentPid === '') doubts.push('parent');
  if (apart === null) doubts.push('time');
  else if (apart > joinTolerance.sure) doubts.push('clock');
  if (isPath(a.imageFull) && isPath(b.imageFull) && differ(a.imageFull.toLowerCase(), b.imageFull.toLowerCase()))
    doubts.push('path');
  return doubts;
}

/** Of two that are both known. */
function differ(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other;
}

/** Spaces are not always written alike. */
function plain(commandLine: string): string {
  return commandLine.replace(/\s+/g, ' ').trim();
}

function isPath(image: string): boolean {
  return /[\\/]/.test(image);
}

export interface JoinedProcess<P extends LoggedProcess> {
  /** Every two of them may be the same, the first tells most. */
  readonly of: readonly P[];
  readonly doubts: readonly JoinDoubt[];
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly doubts: readonly JoinDoubt[];
  readonly apart: number;
}

/** Joins the processes of one host over as many logs as fit; the order of the logs does not matter. */
export function joinProcesses<P extends LoggedProcess>(logged: readonly P[]): JoinedProcess<P>[] {
  const all = logged.toSorted(inOrder);
  const groups = all.map((_, place) => ({ places: [place], doubts: new Set<JoinDoubt>() }));
  const of = ({ places }: { readonly places: readonly number[] }): P[] => places.map((place) => all[place]!);
  for (const { a, b, doubts } of pairsOf(all)) {
    const [one, other] = [groups[a]!, groups[b]!];
    if (one === other) continue;
    const between = doubtsBetween(of(one), of(other));
    if (between === null) {
      // What joins one of them for sure could be the other as well.
      if (doubts.length === 0)
        for (const group of [one, other]) if (group.places.length > 1) group.doubts.add('several');
      continue;
    }
    const joined = {
      places: [...one.places, ...other.places].sort((x, y) => x - y),
      doubts: new Set([...one.doubts, ...other.doubts, ...between]),
    };
    for (const place of joined.places) groups[place] = joined;
  }
  return [...new Set(groups)].map((group) => ({
    of: of(group),
    doubts: joinDoubts.filter((one) => group.doubts.has(one)),
  }));
}

/** What speaks against any two of them; null where two are not the same. */
function doubtsBetween(some: readonly LoggedProcess[], others: readonly LoggedProcess[]): Set<JoinDoubt> | null {
  const found = new Set<JoinDoubt>();
  for (const one of some) {
    for (const other of others) {
      const doubts = sameProcess(one, other);
      if (doubts === null) return null;
      for (const doubt of doubts) found.add(doubt);
    }
  }
  return found;
}

/** Pairs that may be the same, by places: sure ones first, then the nearest. */
function pairsOf(all: readonly LoggedProcess[]): Pair[] {
  const byKey = new Map<string, number[]>();
  for (const [place, { guid, pid }] of all.entries()) {
    for (const key of [...(guid === '' ? [] : [`guid ${guid}`]), ...(pid === '' ? [] : [`pid ${pid}`])]) {
      const places = byKey.get(key);
      if (places) places.push(place);
      else byKey.set(key, [place]);
    }
  }
  const pairs: Pair[] = [];
  for (const places of byKey.values()) {
    for (const [nth, a] of places.entries()) {
      for (const b of places.slice(nth + 1, nth + 1 + mostFollowing)) {
        const doubts = sameProcess(all[a]!, all[b]!);
        if (doubts !== null)
          pairs.push({ a, b, doubts, apart: Math.abs((all[a]!.start ?? 0) - (all[b]!.start ?? Infinity)) });
      }
    }
  }
  return pairs.sort(
    (one, other) =>
      one.doubts.length - other.doubts.length || compare(one.apart, other.apart) || one.a - other.a || one.b - other.b,
  );
}

/** By what they are, so that the order of the input is no matter: by time, and one with a GUID first. */
function inOrder(a: LoggedProcess, b: LoggedProcess): number {
  return (
    compare(a.start ?? Infinity, b.start ?? Infinity) ||
    compare(a.guid === '' ? 1 : 0, b.guid === '' ? 1 : 0) ||
    a.log - b.log ||
    compare(a.guid, b.guid) ||
    compare(a.pid, b.pid) ||
    compare(a.imageFull, b.imageFull) ||
    compare(a.commandLine, b.commandLine) ||
    compare(a.parentPid, b.parentPid)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
