import type { ProcessNode } from '@svc/engine';
import type { AlertIndex, AlertKey, JobAnalytics, JobProcess, JobProcesses } from '../derivation-repository.ts';
import type { ReportOutput } from '../../ports/detection-engine.ts';
import type { NewFinding } from '../new-finding.ts';

/** The findings of an engine and their numbers, in the same order. */
export interface StoredFindings {
  readonly engine: string;
  readonly findings: readonly Pick<NewFinding, 'ruleId' | 'ruleName' | 'severity'>[];
  readonly ids: readonly number[];
}

/** What events name and when they were, as it is stored. */
export function analyticsOf({ events, isCapped, hours, entities, isTruncated, threats }: ReportOutput): JobAnalytics {
  return {
    events,
    eventsCapped: isCapped,
    hours: hours.map(({ hour, groups }) => ({ hour, tactics: Object.fromEntries(groups) })),
    entities,
    entitiesTruncated: isTruncated,
    threats,
  };
}

/** The index of alerts in the form of resolved-platform 8.4; findings and their numbers in the same order. */
export function alertIndexOf(
  { alerts, isCapped, tactics }: ReportOutput,
  { engine, findings, ids }: StoredFindings,
): AlertIndex {
  const computers = new Places();
  const keys = new Map<string, { place: number; key: AlertKey }>();
  const columns: { ts: number[]; k: number[]; n: number[] } = { ts: [], k: [], n: [] };
  for (const { rule, time, computer, count } of alerts.markers) {
    const finding = findings[rule]!;
    const at = computer === null ? -1 : computers.of(computer);
    const id = `${rule} ${at}`;
    let known = keys.get(id);
    if (known === undefined) {
      const { ruleId, ruleName, severity } = finding;
      known = { place: keys.size, key: [ruleId, ruleName, severity, tactics[rule]!, at, 0, ids[rule]!] };
      keys.set(id, known);
    }
    columns.ts.push(time);
    columns.k.push(known.place);
    columns.n.push(count);
  }
  return {
    v: 1,
    res: alerts.resolution,
    ...columns,
    keys: [...keys.values()].map(({ key }) => key),
    computers: computers.values,
    tools: [engine],
    total: alerts.total,
    undated: alerts.undated,
    source_truncated: isCapped,
  };
}

/** The processes, with the findings that their events were matched by. */
export function processesOf({ processes: { roots, stats } }: ReportOutput, { ids }: StoredFindings): JobProcesses {
  const withIds = ({ rules, children, ...node }: ProcessNode): JobProcess => ({
    ...node,
    findings: rules.map((rule) => ids[rule]!).sort((a, b) => a - b),
    children: children.map(withIds),
  });
  return { roots: roots.map(withIds), stats };
}

/** Distinct texts and the place of each. */
class Places {
  readonly #places = new Map<string, number>();

  of(text: string): number {
    const known = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, known);
    return known;
  }

  get values(): string[] {
    return [...this.#places.keys()];
  }
}
