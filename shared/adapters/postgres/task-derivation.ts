import type { AlertIndex, AlertKey, JobAnalytics } from '@svc/application/ports/derivation-repository.ts';
import type { DerivedOutput } from '@svc/application/ports/detection-engine.ts';
import type { NewFinding } from '@svc/application/ports/result-repository.ts';
import { packed } from './packed-json.ts';
import type { taskDerivations } from './schema/index.ts';
import { storableJson } from './text.ts';

interface Stored {
  readonly task: { readonly id: number; readonly jobId: number; readonly engine: string };
  readonly findings: readonly NewFinding[];
  /** Numbers of the findings, in the same order. */
  readonly ids: readonly number[];
}

/** What was derived, as it is stored with its task. */
export async function toDerivationRow(
  derived: DerivedOutput,
  stored: Stored,
): Promise<typeof taskDerivations.$inferInsert> {
  const [alerts, processes] = await Promise.all([packed(alertIndexOf(derived, stored)), packed(derived.processes)]);
  return {
    taskResultId: stored.task.id,
    jobId: stored.task.jobId,
    analytics: storableJson(analyticsOf(derived)),
    alerts,
    processes,
  };
}

function analyticsOf({ events, hours, entities, isTruncated, threats }: DerivedOutput): JobAnalytics {
  return {
    events,
    hours: hours.map(({ hour, groups }) => ({ hour, tactics: Object.fromEntries(groups) })),
    entities,
    entitiesTruncated: isTruncated,
    threats,
  };
}

/** Form of resolved-platform 8.4. */
function alertIndexOf({ alerts, tactics }: DerivedOutput, { task, findings, ids }: Stored): AlertIndex {
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
    tools: [task.engine],
    total: alerts.total,
    undated: alerts.undated,
    source_truncated: false,
  };
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
