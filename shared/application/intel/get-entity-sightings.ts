import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { emptySummary, severities, type Actor, type SeveritySummary } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { Sighting } from './entity-links.ts';
import { entityScope } from './entity-scope.ts';

type Sightings = OutputOf<typeof operations.getEntitySightings>;

const dayMs = 86_400_000;
/** A longer time is told by weeks. */
const mostDays = 120;
/** 1970 began on a Thursday, weeks on Mondays. */
const firstMonday = 4 * dayMs;

/** When visible jobs saw an entity, and the findings of them that name it. */
export async function getEntitySightings(
  ports: Pick<Ports, 'entities' | 'entityLinks' | 'jobViews'>,
  actor: Actor,
  { id }: InputOf<typeof operations.getEntitySightings>,
): Promise<Sightings> {
  await entityScope(ports, actor, id);
  const { sightings, isCut } = await ports.entityLinks.sightings(actor, id);
  return {
    ...inBuckets(sightings),
    jobs: sightings.length,
    is_cut: isCut,
    undated: sightings.filter(({ seenAt }) => seenAt === null).length,
    findings: sum(sightings),
    jobs_with_findings: sightings.filter(({ findings }) => worstOf(findings) !== null).length,
  };
}

/** The jobs of those that saw it then, in the order of the list. */
export function seenDuring(
  sightings: readonly Sighting[],
  from: number = -Infinity,
  to: number = Infinity,
): readonly number[] {
  return sightings.flatMap((one) => (timeOf(one) >= from && timeOf(one) <= to ? one.jobId : []));
}

function inBuckets(sightings: readonly Sighting[]): Pick<Sightings, 'step' | 'buckets'> {
  const days = new Set(sightings.map((one) => Math.floor(timeOf(one) / dayMs)));
  const step = days.size > 0 && Math.max(...days) - Math.min(...days) >= mostDays ? 'week' : 'day';
  const [length, origin] = step === 'day' ? [dayMs, 0] : [7 * dayMs, firstMonday];
  const groups = new Map<number, Sighting[]>();
  for (const one of sightings) {
    const at = Math.floor((timeOf(one) - origin) / length);
    groups.set(at, [...(groups.get(at) ?? []), one]);
  }
  const buckets = [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([at, seen]) => ({
      from: at * length + origin,
      to: (at + 1) * length + origin - 1,
      jobs: seen.length,
      severity: worstOf(sum(seen)),
      severities: bySeverity(seen),
    }));
  return { step, buckets };
}

function bySeverity(sightings: readonly Sighting[]): Sightings['buckets'][number]['severities'] {
  return [...severities, null].flatMap((severity) => {
    const jobs = sightings.filter(({ findings }) => worstOf(findings) === severity).length;
    return jobs === 0 ? [] : [{ severity, jobs }];
  });
}

function timeOf({ seenAt, createdAt }: Sighting): number {
  return (seenAt ?? createdAt).getTime();
}

function sum(sightings: readonly Sighting[]): SeveritySummary {
  const total = { ...emptySummary };
  for (const { findings } of sightings) for (const severity of severities) total[severity] += findings[severity];
  return total;
}

function worstOf(findings: SeveritySummary): (typeof severities)[number] | null {
  return severities.find((severity) => findings[severity] > 0) ?? null;
}
