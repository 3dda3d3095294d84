import { useReport } from '../../../api/report-source.ts';
import { useKnown } from '../../../api/known-values.ts';
import type { DoorValue } from '../../../ui/door-value.ts';
import { entityTypeOf } from './entity-asked.ts';
import { knownHint } from './known-words.ts';

/** What is known of a value of the report, for whom points at it; undefined where that is nothing. */
export function useKnownHint(door: DoorValue | null): string | undefined {
  const type = door === null ? undefined : entityTypeOf(door);
  const { jobId } = useReport();
  const known = useKnown(jobId, door === null || type === undefined ? null : { entity_type: type, value: door.value });
  return known && knownHint(known);
}
