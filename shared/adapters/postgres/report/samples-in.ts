import { mergedEvents, type SampleEvent } from '@svc/application/report/agreement/records.ts';
import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import type { Finding } from '@svc/domain';
import type { EventPacks, StoredPlace } from './event-packs.ts';

/** Where the sample events of a finding are, and which other ones belong to them. */
export interface FindingPlace extends StoredPlace {
  /** The finding that stands for it, or itself. */
  readonly listedAs: number;
  readonly parts: NonNullable<Finding['parts']> | null;
}

export interface Samples {
  readonly id: number;
  /** As they are stored, of each engine. */
  readonly json: readonly string[];
  readonly events: () => readonly SampleEvent[];
}

/** The sample events of findings that have some; of those that stand for others with theirs, behind the rest. */
export async function* samplesIn(packs: EventPacks, rows: readonly FindingPlace[]): AsyncGenerator<Samples> {
  const leads = new Map(rows.flatMap(({ id, parts }) => (parts === null ? [] : [[id, parts] as const])));
  const ofOthers = new Set(rows.flatMap(({ id, listedAs }) => (leads.has(listedAs) ? [id] : [])));
  const held = new Map<number, string>();
  for await (const { id, json } of packs.read(rows)) {
    if (ofOthers.has(id)) held.set(id, json);
    else yield { id, json: [json], events: () => parsed(json) };
  }
  for (const [id, parts] of leads) {
    const known = parts.flatMap(({ findingId, engine }) => {
      const json = held.get(findingId);
      return json === undefined ? [] : [{ engine, json }];
    });
    if (known.length === 0) continue;
    const events = () => mergedEvents(known.map(({ engine, json }) => ({ engine, events: parsed(json) })));
    yield { id, json: known.map(({ json }) => json), events };
  }
}

export function parsed(json: string): readonly StoredEvent[] {
  return JSON.parse(json) as readonly StoredEvent[];
}
