import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { caseExportLimits, type Actor, type Case } from '@svc/domain';
import { visibleCase } from '../cases/visible-case.ts';
import type { Ports } from '../ports/ports.ts';
import { indicatorsOf } from './find-indicators.ts';
import type { Indicator } from './indicators.ts';
import { caseEventId, mispEvent } from './misp.ts';
import { packed } from './packed.ts';
import {
  bundle,
  identity,
  indicatorObject,
  noteObject,
  relationshipObject,
  sightingObject,
  type StixObject,
} from './stix.ts';

type DocumentPorts = Pick<Ports, 'caseIndicators' | 'cases' | 'clock' | 'entities' | 'entityBlame' | 'entityGraphs'>;

/** What a document says where all is asked for. */
const all = { entities: 1_000_000_000, sightings: 1_000_000_000, relationships: 1_000_000_000 };

/** A case with what of it a document says. */
interface Told {
  readonly of: Case;
  readonly indicators: readonly Indicator[];
  /** Entities of the case, whether they are told or not. */
  readonly total: number;
}

/**
 * A case as the viewer sees it, as a STIX bundle in UTF-8 (resolved-intel 17.2): what is left out stands in its note.
 * Throws `case_not_found`.
 */
export async function exportCaseStix(
  ports: DocumentPorts,
  viewer: Actor,
  { id, complete }: InputOf<typeof operations.exportCaseStix>,
): Promise<Uint8Array> {
  const most = complete ? all : caseExportLimits;
  const told = await tell(ports, viewer, id, most.entities);
  const written = new Map<number, { indicator: Indicator; object: StixObject }>();
  for (const indicator of told.indicators) {
    const object = indicatorObject(indicator);
    if (object !== null) written.set(indicator.id, { indicator, object });
  }
  const ids = [...written.keys()];
  const seen = await ports.caseIndicators.sightings(viewer, id, { ids, most: most.sightings + 1 });
  const related = await ports.entityGraphs.related(ids, { job: null, most: most.relationships + 1 });
  const left = [
    ...(seen.length > most.sightings ? [`Sightings: the first ${most.sightings}.`] : []),
    ...(related.length > most.relationships ? [`Relationships: the ${most.relationships} that most events show.`] : []),
  ];
  const objects = [
    identity,
    ...[...written.values()].map(({ object }) => object),
    ...related.slice(0, most.relationships).flatMap(({ source, target, type, occurrences }) => {
      const [from, to] = [written.get(source), written.get(target)];
      if (from === undefined || to === undefined) return [];
      const description = `${occurrences} event(s) show it`;
      return [relationshipObject({ source: from.indicator, target: to.indicator, kind: type, description })];
    }),
    ...seen.slice(0, most.sightings).flatMap(({ entityId, jobId, at, events }) => {
      const of = written.get(entityId)?.indicator;
      return of === undefined ? [] : [sightingObject(of, { jobId, at, events })];
    }),
    ...note(
      told,
      [...written.values()].map(({ object }) => object.id),
      left,
    ),
  ];
  return bytesOf(bundle(objects));
}

/** The same as a MISP event (resolved-intel 17.3): jobs are those of the case. */
export async function exportCaseMisp(
  ports: DocumentPorts,
  viewer: Actor,
  { id, complete }: InputOf<typeof operations.exportCaseMisp>,
): Promise<Uint8Array> {
  const told = await tell(ports, viewer, id, (complete ? all : caseExportLimits).entities);
  const { of } = told;
  const ids = told.indicators.map((one) => one.id);
  const jobs = await ports.caseIndicators.jobCounts(viewer, id, ids);
  return bytesOf(
    mispEvent({
      uuid: caseEventId(id),
      info: [`svc case: ${of.name}`, ...cut(told)].join(' · '),
      at: of.updatedAt,
      indicators: told.indicators.map((one) => ({ ...one, jobCount: jobs.get(one.id) ?? 0 })),
      analysis: of.status === 'closed' ? 'completed' : 'ongoing',
    }),
  );
}

/** The same as a document for the clipboard (resolved-intel 17.4). */
export async function getCaseIocPack(
  ports: DocumentPorts,
  viewer: Actor,
  { id }: InputOf<typeof operations.getCaseIocPack>,
): Promise<OutputOf<typeof operations.getCaseIocPack>> {
  const { of, indicators, total } = await tell(ports, viewer, id, caseExportLimits.packed);
  return { ...packed(indicators, ports.clock.now()), scope: 'case', case: of.name, entity_total: total };
}

async function tell(ports: DocumentPorts, viewer: Actor, id: number, most: number): Promise<Told> {
  const of = await visibleCase(ports, viewer, id);
  const { ids, total } = await ports.caseIndicators.entities(id, most);
  return { of, indicators: await indicatorsOf(ports, viewer, await ports.entities.some(ids)), total };
}

/** Says how much there is where not all of it is told. */
function cut({ indicators, total }: Told): string[] {
  return indicators.length < total ? [`first ${indicators.length} of ${total} entities`] : [];
}

function note(told: Told, about: readonly string[], left: readonly string[]): StixObject[] {
  if (about.length === 0) return [];
  const { of } = told;
  const said = [of.name, of.summary, of.narrative, ...cut(told).map((text) => `Entities: the ${text}.`), ...left];
  const content = said.filter((text) => text !== null && text !== '').join('\n\n');
  const { id: caseId, createdAt: created, updatedAt: modified } = of;
  return [noteObject({ caseId, abstract: of.name, content, created, modified, about })];
}

function bytesOf(document: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}
