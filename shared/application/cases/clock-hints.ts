import type { ClockHint } from '@svc/contracts';
import { onCaseClock } from '@svc/domain';
import type { JobProcess } from '../report/derivation-repository.ts';
import type { StoredEvent } from '../report/new-finding.ts';
import type { MemberJob } from './case-timelines.ts';

/** What a log tells, which another log of the same host may tell too. */
export interface LogOfHost {
  readonly member: MemberJob;
  readonly processes: readonly JobProcess[];
  readonly events: readonly StoredEvent[];
}

/** One of them by what tells it from all others: of which host, when by the log, and in words. */
interface Sighting {
  readonly kind: 'process' | 'record';
  readonly host: string;
  readonly at: number;
  readonly words: string;
}

/** So many must agree, and so much of all that both logs tell, before two clocks are said to differ. */
const [leastAgreeing, leastShare, leastSeconds] = [3, 2 / 3, 2];

/**
 * Logs of one host that tell the same processes, or the same records, at different times: at least three of them by the
 * same seconds, and two thirds of all of the kind, as records of a log that was cleared are numbered anew. Each log is
 * held against the first that tells the same thing. What no other log tells again shows nothing, nor do clocks that were
 * wrong in both, or less than two seconds apart.
 */
export function clockHints(logs: readonly LogOfHost[]): ClockHint[] {
  const first = new Map<string, { readonly log: LogOfHost; readonly seen: Sighting }>();
  const pairs = new Map<string, Pair>();
  for (const log of logs) {
    for (const [key, seen] of sightingsOf(log)) {
      const known = first.get(key);
      if (known === undefined) first.set(key, { log, seen });
      else pairOf(pairs, { one: known.log, other: log, seen }).push({ one: known.seen, other: seen });
    }
  }
  const hints = new Map<string, ClockHint>();
  for (const hint of [...pairs.values()].flatMap((pair) => hintOf(pair) ?? [])) {
    const key = [hint.job_id, hint.other_id].sort((a, b) => a - b).join(' ');
    if (hint.agreeing > (hints.get(key)?.agreeing ?? 0)) hints.set(key, hint);
  }
  return [...hints.values()].sort((a, b) => b.seconds - a.seconds);
}

interface Pair {
  readonly one: LogOfHost;
  readonly other: LogOfHost;
  readonly host: string;
  readonly both: { readonly one: Sighting; readonly other: Sighting }[];
}

function pairOf(
  pairs: Map<string, Pair>,
  { one, other, seen: { kind, host } }: Pick<Pair, 'one' | 'other'> & { readonly seen: Sighting },
): Pair['both'] {
  const key = `${kind} ${one.member.jobId} ${other.member.jobId} ${host.toLowerCase()}`;
  const known = pairs.get(key) ?? { one, other, host, both: [] };
  pairs.set(key, known);
  return known.both;
}

function hintOf({ one, other, host, both }: Pair): ClockHint | null {
  const timed = both.map((seen) => ({
    seen,
    seconds: Math.round((onCaseClock(seen.other.at, other.member) - onCaseClock(seen.one.at, one.member)) / 1000),
  }));
  const [seconds, agreeing] = mostCommon(timed.map((pair) => pair.seconds));
  if (Math.abs(seconds) < leastSeconds || agreeing < Math.max(leastAgreeing, leastShare * both.length)) return null;
  const { seen } = timed.find((pair) => pair.seconds === seconds)!;
  const [ahead, behind] = seconds > 0 ? [other, one] : [one, other];
  const [late, early] = seconds > 0 ? [seen.other, seen.one] : [seen.one, seen.other];
  return {
    job_id: ahead.member.jobId,
    other_id: behind.member.jobId,
    seconds: Math.abs(seconds),
    host,
    compared: both.length,
    agreeing,
    example: seen.one.words,
    time: new Date(onCaseClock(late.at, ahead.member)).toISOString(),
    other_time: new Date(onCaseClock(early.at, behind.member)).toISOString(),
  };
}

/** The difference that most have, a second more or less, and how many do. */
function mostCommon(seconds: readonly number[]): readonly [seconds: number, agreeing: number] {
  const counts = new Map<number, number>();
  for (const one of seconds) counts.set(one, (counts.get(one) ?? 0) + 1);
  const near = (one: number) => [one - 1, one, one + 1].reduce((sum, at) => sum + (counts.get(at) ?? 0), 0);
  const [best = 0] = [...counts.keys()].sort((a, b) => near(b) - near(a) || counts.get(b)! - counts.get(a)! || a - b);
  return [best, near(best)];
}

/** Without what a log tells more than once, which may be two things. */
function sightingsOf({ processes, events }: LogOfHost): Map<string, Sighting> {
  const found = new Map<string, Sighting | null>();
  const see = (key: readonly (string | null)[], { time, ...seen }: Omit<Sighting, 'at'> & { time: string | null }) => {
    const at = utc(time);
    if (at === null || seen.host === '') return;
    const name = [seen.host, ...key].join('\u0000').toLowerCase();
    const known = found.get(name);
    // The sample of another finding may be the same event.
    if (known === undefined) found.set(name, { ...seen, at });
    else if (known !== null && known.at !== at) found.set(name, null);
  };
  for (const process of flat(processes)) {
    const { computer: host, time, guid, pid, image, image_full: path, cmdline } = process;
    const seen = { kind: 'process' as const, host, time, words: `${image || 'a process'}, process ${pid}` };
    // Sysmon and Security have these in common, and Security no guid.
    if (pid !== '' && image !== '') see(['process', String(Number(pid)), path || image, cmdline], seen);
    else if (guid !== '') see(['guid', guid], seen);
  }
  for (const { computer, channel, recordId, eventId, timestamp } of events) {
    if (computer === null || channel === null || recordId === null) continue;
    const words = `record ${recordId} of ${channel}`;
    see(['record', channel, recordId, eventId], { kind: 'record', host: computer, time: timestamp, words });
  }
  return new Map([...found].flatMap(([key, seen]) => (seen === null ? [] : [[key, seen] as const])));
}

/** Processes that have events of their own. */
function* flat(processes: readonly JobProcess[]): Generator<JobProcess> {
  const waiting = [...processes];
  for (let process = waiting.pop(); process !== undefined; process = waiting.pop()) {
    if (process.hit) yield process;
    waiting.push(...process.children);
  }
}

/** Times of logs without a zone are UTC; null where there is none. */
function utc(time: string | null): number | null {
  if (time === null) return null;
  const iso = time.trim().replace(' ', 'T');
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(at) ? null : at;
}
