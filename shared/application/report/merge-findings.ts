import { groupedBy, mostHosts } from '@svc/domain';
import { ruleTraits, type RuleTraits } from '@svc/engine';
import type { Ports } from '../ports/ports.ts';
import { byRule, byWord, momentOf, recordsOf } from './agreement/records.ts';
import type { EngineFinding } from './finding-repository.ts';
import type { StoredEvent } from './new-finding.ts';
import type { MergedFinding } from './result-repository.ts';

/** Findings whose sample events are in memory at the same time. */
const atOnce = 50;

type MergePorts = Pick<Ports, 'findings' | 'log' | 'transaction'>;

/**
 * Makes one finding of what several engines of a job, whose tasks have ended, found of one rule (detection-engine 5.1).
 * Of a job with one engine nothing is read but that.
 */
export async function mergeFindings(ports: MergePorts, jobId: number): Promise<void> {
  const { findings, transaction } = ports;
  const found = await findings.ofEngines(jobId);
  if (new Set(found.map(({ engine }) => engine)).size < 2) return;
  const copies = found.filter(({ engine }) => engine === 'evtx-timeline');
  const sources = await findings.ruleSources(copies.map(({ id }) => id));
  const traits = (id: number): RuleTraits | null => {
    const source = sources.get(id);
    return source === undefined ? null : ruleTraits(source);
  };
  const groups = byRule(found.map((one) => ({ ...one, traits: traits(one.id) }))).filter(isShared);
  const merged: MergedFinding[] = [];
  for (let batch: EngineFinding[][] = groups.splice(0, atOnce); batch.length > 0; batch = groups.splice(0, atOnce)) {
    const countable = batch.filter((group) => group.every(({ count, kept }) => kept >= count));
    const events = await eventsOf(
      ports,
      countable.flat().map(({ id }) => id),
    );
    merged.push(...batch.map((group) => mergedOf(group, events)));
  }
  if (merged.length === 0) return;
  await transaction(async (tx) => {
    if ((await tx.jobs.hold([jobId])).length > 0) await tx.results.keepMerged(jobId, merged);
  });
}

/** Where samples cannot be read, which records they are is not known. */
async function eventsOf(
  { findings, log }: MergePorts,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredEvent[]>> {
  return findings.eventsOf(ids).catch((error: unknown) => {
    log.warn('samples of several engines could not be read, so their records are not compared', { error });
    return new Map<number, readonly StoredEvent[]>();
  });
}

function isShared(group: readonly EngineFinding[]): boolean {
  return group.some(({ engine }) => engine !== group[0]?.engine);
}

function mergedOf(group: readonly EngineFinding[], events: ReadonlyMap<number, readonly StoredEvent[]>): MergedFinding {
  const [first, ...others] = [...group].sort(byWord) as [EngineFinding, ...EngineFinding[]];
  const all = [first, ...others];
  const count = matchesOf(all.map((one) => ({ ...one, events: events.get(one.id) ?? [] })));
  const times = (which: 'firstSeen' | 'lastSeen'): string[] =>
    all.flatMap((one) => one[which] ?? []).sort((a, b) => (momentOf(a) < momentOf(b) ? -1 : 1));
  return {
    id: first.id,
    count,
    tags: all.find(({ tags }) => tags.length > 0)?.tags ?? [],
    firstSeen: times('firstSeen')[0] ?? null,
    lastSeen: times('lastSeen').at(-1) ?? null,
    hosts: first.count >= count ? first.hosts : unitedHosts(all),
    parts: all.map(({ id, engine, count: own, kept }) => ({ findingId: id, engine, count: own, kept })),
  };
}

/**
 * Records that any engine matched by one rule, where all engines tell of each of theirs which it is; else as many as the
 * engine has that matched most, since those of others are most likely among them.
 */
export function matchesOf(
  found: readonly { readonly engine: string; readonly count: number; readonly events: readonly StoredEvent[] }[],
): number {
  const ofEngines = groupedBy(found, ({ engine }) => engine);
  const largest = Math.max(...ofEngines.map((own) => own.reduce((sum, { count }) => sum + count, 0)));
  const known = ofEngines.map(recordsOf);
  if (!known.every(({ complete }) => complete)) return largest;
  // One engine may match a record twice, as of a log that an archive holds twice.
  return Math.max(largest, new Set(known.flatMap(({ keys }) => [...keys])).size);
}

function unitedHosts(all: readonly EngineFinding[]): readonly string[] | null {
  const known = all.flatMap(({ hosts }) => (hosts === null ? [] : [hosts]));
  const hosts = [...new Set(known.flat())].sort();
  return known.length < all.length || hosts.length > mostHosts ? null : hosts;
}
