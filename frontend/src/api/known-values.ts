import { call, operations, type InputOf, type SeenEntity } from '@svc/contracts';
import { entityLimits, entityValue, reaches } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { gathering } from './gathering.ts';
import { queryKey } from './query-key.ts';
import { useMe } from './session.ts';

/** A value that a report shows, as the entity that it may be. */
export type AskedValue = InputOf<typeof operations.lookUpEntities>['entities'][number];

const lookUps = new Map<number, (value: AskedValue) => Promise<SeenEntity | null>>();

/** Asks for it together with all others of the report that are asked for now. */
function lookUp(jobId: number, value: AskedValue): Promise<SeenEntity | null> {
  let ask = lookUps.get(jobId);
  if (ask === undefined) {
    ask = gathering(entityLimits.atOnce, async (values) => {
      // Longer ones are kept cut, and known by that.
      const entities = values.map((one) => ({ ...one, value: entityValue(one.value) }));
      const { items } = await call(operations.lookUpEntities, { id: jobId, entities });
      const known = new Map(items.map(({ place, ...entity }) => [place, entity]));
      return values.map((_, place) => known.get(place) ?? null);
    });
    lookUps.set(jobId, ask);
  }
  return ask(value);
}

/** What is known of a value of a job’s report, for members; undefined where that is nothing, or not known yet. */
export function useKnown(jobId: number | null, value: AskedValue | null): SeenEntity | undefined {
  const me = useMe();
  const isAsked = jobId !== null && value !== null && me !== undefined && me !== null && reaches(me.role, 'member');
  const { data } = useQuery({
    queryKey: queryKey(operations.lookUpEntities, { id: jobId ?? 0, ...value }),
    queryFn: () => lookUp(jobId!, value!),
    enabled: isAsked,
    staleTime: 60_000,
    retry: false,
  });
  return data ?? undefined;
}
