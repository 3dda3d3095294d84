import type { InputOf, operations } from '@svc/contracts';
import { feedLimits, notFound, type Actor } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { indicatorsOf } from './find-indicators.ts';
import type { Indicator } from './indicators.ts';
import { bundle, identity, indicatorObject, relationshipObject, sightingObject, type StixObject } from './stix.ts';

/** The most relationships among what a document names. */
const mostRelated = 1000;

/**
 * An entity with what visible jobs name with it, how they are related, and the jobs that name it, as a STIX bundle in
 * UTF-8 (resolved-intel 17.2). Throws `not_found` where there is no such entity.
 */
export async function exportEntityStix(
  ports: Pick<Ports, 'entities' | 'entityBlame' | 'entityGraphs' | 'entityLinks' | 'jobViews'>,
  viewer: Actor,
  { id }: InputOf<typeof operations.exportEntityStix>,
): Promise<Uint8Array> {
  const entity = await ports.entities.get(id);
  if (entity === null) throw notFound('entity');
  const together = await ports.entityLinks.together(viewer, id, feedLimits.beside);
  const beside = await ports.entities.some(together.map((one) => one.id));
  const indicators = await indicatorsOf(ports, viewer, [entity, ...beside]);
  const written = new Map(indicators.flatMap((one) => toObject(one)));
  const [focal] = indicators;
  const objects: StixObject[] = [identity, ...[...written.values()].map(({ object }) => object)];
  if (focal !== undefined && written.has(id)) {
    objects.push(...(await relationships(ports, focal, written)), ...(await sightings(ports, viewer, focal)));
  }
  return new TextEncoder().encode(JSON.stringify(bundle(objects)));
}

type Written = ReadonlyMap<number, { readonly indicator: Indicator; readonly object: StixObject }>;

function toObject(indicator: Indicator): [number, { indicator: Indicator; object: StixObject }][] {
  const object = indicatorObject(indicator);
  return object === null ? [] : [[indicator.id, { indicator, object }]];
}

/** As their own types say, where there are such; of all else that it is named with, no more than that. */
async function relationships(
  { entityGraphs }: Pick<Ports, 'entityGraphs'>,
  focal: Indicator,
  written: Written,
): Promise<StixObject[]> {
  const typed = await entityGraphs.related([...written.keys()], { job: null, most: mostRelated });
  const others = [...written.values()].filter(({ indicator }) => indicator.id !== focal.id);
  return [
    ...others.map(({ indicator: target }) => relationshipObject({ source: focal, target, kind: null })),
    ...typed.flatMap(({ source, target, type, occurrences }) => {
      const [from, to] = [written.get(source), written.get(target)];
      if (from === undefined || to === undefined) return [];
      const description = `${occurrences} event(s) show it`;
      return [relationshipObject({ source: from.indicator, target: to.indicator, kind: type, description })];
    }),
  ];
}

async function sightings(
  { entityLinks, jobViews }: Pick<Ports, 'entityLinks' | 'jobViews'>,
  viewer: Actor,
  focal: Indicator,
): Promise<StixObject[]> {
  const part = { page: 1, per: feedLimits.sightings, among: null };
  const { jobs } = await entityLinks.jobs(viewer, [focal.id], part);
  const seen = await jobViews.among(
    viewer,
    jobs.map(({ jobId }) => jobId),
  );
  const times = new Map(seen.map((job) => [job.id, job.createdAt]));
  return jobs.flatMap(({ jobId, occurrences }) => {
    const at = times.get(jobId);
    return at === undefined ? [] : [sightingObject(focal, { jobId, at, events: occurrences })];
  });
}
