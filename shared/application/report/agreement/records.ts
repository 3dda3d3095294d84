import { builtInEngine, ruleGroups, severityRank, type Finding, type GroupedFinding } from '@svc/domain';
import type { RuleTraits } from '@svc/engine';
import type { StoredEvent } from '../new-finding.ts';

/** Records that matched, by computer, channel and record number, and whether these are all matches. */
export interface KnownRecords {
  readonly keys: ReadonlySet<string>;
  readonly complete: boolean;
}

/** The record that an event is; null where the engine does not tell (detection-engine 5.1). */
export function recordOf({ computer, channel, recordId }: StoredEvent): string | null {
  if (computer === null || channel === null || recordId === null) return null;
  return `${computer}\n${channel}\n${recordId}`.toLowerCase();
}

/** The records of what one engine found of a rule. */
export function recordsOf(
  found: readonly { readonly count: number; readonly events: readonly StoredEvent[] }[],
): KnownRecords {
  const keys = found.flatMap(({ events }) => events.flatMap((event) => recordOf(event) ?? []));
  const matches = found.reduce((sum, { count }) => sum + count, 0);
  return { keys: new Set(keys), complete: keys.length === matches };
}

/** Findings by rule (`ruleGroups`), copies of a rule that name it under its id. */
export function byRule<F extends GroupedFinding & { readonly traits: RuleTraits | null }>(
  findings: readonly F[],
): F[][] {
  return ruleGroups(findings.map((finding) => ({ ...finding, ruleId: idOf(finding) })));
}

/** Of the findings of one rule the one whose word counts: the built-in engine's, else the worst, else the fullest. */
export function byWord(
  a: Pick<Finding, 'engine' | 'severity' | 'count' | 'id'>,
  b: Pick<Finding, 'engine' | 'severity' | 'count' | 'id'>,
): number {
  return (
    Number(a.engine !== builtInEngine) - Number(b.engine !== builtInEngine) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    b.count - a.count ||
    a.id - b.id
  );
}

/** Hayabusa's copies of rules have ids of their own, and name the rule last that they are copies of. */
function idOf({ engine, ruleId, traits }: GroupedFinding & { readonly traits: RuleTraits | null }): string | null {
  return (engine === 'evtx-timeline' ? traits?.derivedFrom : null) ?? ruleId;
}

/** A sample event, and the engines that saw it where several may have. */
export interface SampleEvent extends StoredEvent {
  readonly foundBy?: readonly string[];
}

/**
 * The sample events of several engines in the order of time, each record once, as the first has it; in the order in
 * which engines' words count. Those of later engines that do not tell their record may be the same ones, so they are
 * shown only where no engine before has any.
 */
export function mergedEvents(
  parts: readonly { readonly engine: string; readonly events: readonly StoredEvent[] }[],
): SampleEvent[] {
  const merged: { readonly event: StoredEvent; readonly foundBy: string[] }[] = [];
  const known = new Map<string, (typeof merged)[number]>();
  for (const { engine, events } of parts) {
    const hadSome = merged.length > 0;
    const hadAllKnown = merged.every(({ event }) => recordOf(event) !== null);
    for (const event of events) {
      const record = recordOf(event);
      const same = record === null ? undefined : known.get(record);
      if (same !== undefined && !same.foundBy.includes(engine)) same.foundBy.push(engine);
      if ((hadSome && (record === null || !hadAllKnown)) || (same !== undefined && hadSome)) continue;
      const added = { event, foundBy: [engine] };
      merged.push(added);
      if (record !== null && same === undefined) known.set(record, added);
    }
  }
  return merged
    .map(({ event, foundBy }) => ({ ...event, foundBy: foundBy.toSorted() }))
    .sort((a, b) => inTime(a.timestamp, b.timestamp));
}

/** Those without a time last. */
function inTime(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const [one, other] = [momentOf(a), momentOf(b)];
  return one < other ? -1 : Number(one > other);
}

/** Of UTC times of different precision: without the Z, the texts sort by time. */
export function momentOf(time: string): string {
  return time.replace(/Z$/, '');
}
