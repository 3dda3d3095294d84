import type { ActivityHead } from '@svc/contracts';
import type { Ports } from '../../ports/ports.ts';
import type { ActivityDay } from './activity-log.ts';
import { chained } from './chain.ts';

/** Rows that are read at once. */
const most = 1000;

export interface VerifiedActivity {
  readonly days: number;
  readonly rows: number;
  /** Days whose rows were removed because their time was over. */
  readonly pruned: number;
  /** One sentence each; none where all is as it was written. */
  readonly problems: readonly string[];
}

/**
 * Looks whether the rows of the log are those that were written, in that order: rows that were changed, removed, added or
 * put elsewhere do not make the hashes that stand with them.
 * @param kept - ends of chains that were exported before, against those that somebody has made anew with all their rows
 */
export async function verifyActivity(
  { activityLog }: Pick<Ports, 'activityLog'>,
  kept: readonly ActivityHead[] = [],
): Promise<VerifiedActivity> {
  const days = await activityLog.days();
  const problems: string[] = [];
  let rows = 0;
  for (const [index, day] of days.entries()) {
    const before = days[index - 1]?.head ?? '';
    if (day.previous !== before)
      problems.push(`${day.day}: it does not follow ${days[index - 1]?.day ?? 'the beginning'}`);
    rows += await rowsOf(activityLog, day, problems);
  }
  problems.push(...comparedWith(kept, days));
  return { days: days.length, rows, pruned: days.filter(({ isPruned }) => isPruned).length, problems };
}

async function rowsOf(
  activityLog: Ports['activityLog'],
  { day, previous, head, rows: expected, isPruned }: ActivityDay,
  problems: string[],
): Promise<number> {
  let hash = previous;
  let rows = 0;
  let isBroken = false;
  for await (const row of written(activityLog, day)) {
    rows++;
    hash = chained(hash, row);
    if (isBroken || hash === row.hash) continue;
    isBroken = true;
    problems.push(
      `${day}: row ${rows} (${row.at.toISOString()}, ${row.action}) or one before it is not as it was written`,
    );
  }
  if (isPruned) {
    if (rows > 0) problems.push(`${day}: it was removed, and has ${rows} rows`);
    return rows;
  }
  if (rows !== expected) problems.push(`${day}: it has ${rows} rows, and ${expected} were written`);
  if (!isBroken && rows === expected && hash !== head)
    problems.push(`${day}: its rows do not lead to the end of its chain`);
  return rows;
}

async function* written(activityLog: Ports['activityLog'], day: string) {
  for (let from = 0; ;) {
    const rows = await activityLog.ofDay(day, { from, most });
    yield* rows;
    if (rows.length < most) return;
    from = rows.at(-1)!.place + 1;
  }
}

/** A day that went on after its end was exported had fewer rows then; only its last export tells all of it. */
function comparedWith(kept: readonly ActivityHead[], days: readonly ActivityDay[]): string[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return kept.flatMap(({ day, rows, head }) => {
    const now = known.get(day);
    if (now === undefined) return [`${day}: it was exported, and is not there`];
    if (now.rows === rows && now.head !== head)
      return [`${day}: the end of its chain is not the one that was exported`];
    return now.rows < rows ? [`${day}: it had ${rows} rows when it was exported, and has ${now.rows}`] : [];
  });
}
