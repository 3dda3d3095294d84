import { call, operations, type Tag } from '@svc/contracts';
import { entityLimits } from '@svc/domain';
import { invalidate } from './query-client.ts';
import { queryKey } from './query-key.ts';

/** What is done to many entities; `isOn` of its opposite is the other. */
export interface EntityDeed {
  /** Null for the allowlist. */
  readonly tag: Tag | null;
  readonly isOn: boolean;
}

/** What a deed has come to, also where a part of it was refused. */
export interface DeedResult {
  /** Those that it changed, so that the opposite deed to these undoes it. */
  readonly changed: readonly number[];
  readonly error: Error | null;
}

/** Does it to all of these, as many at a time as one request takes, and tells how many are done. */
export async function doToEntities(
  deed: EntityDeed,
  ids: readonly number[],
  onProgress: (done: number) => void,
): Promise<DeedResult> {
  const changed: number[] = [];
  let error: Error | null = null;
  for (let at = 0; at < ids.length && error === null; at += entityLimits.atOnce) {
    onProgress(at);
    try {
      changed.push(...(await doToSome(deed, ids.slice(at, at + entityLimits.atOnce))));
    } catch (refusal) {
      error = refusal instanceof Error ? refusal : new Error(String(refusal));
    }
  }
  await invalidate(queryKey(operations.listEntities));
  const reads = [operations.getIntel, operations.getEntity, operations.suggestTags, operations.listTags];
  void invalidate(...reads.map((read) => queryKey(read)));
  return { changed, error };
}

async function doToSome({ tag, isOn }: EntityDeed, ids: readonly number[]): Promise<readonly number[]> {
  const some = { entity_ids: [...ids] };
  if (tag === null) return (await call(operations.allowlistEntities, { ...some, value: isOn })).entity_ids;
  return isOn
    ? (await call(operations.tagEntities, { ...some, tag: [tag.tag], color: [tag.color] })).entity_ids
    : (await call(operations.untagEntities, { ...some, tag: [tag.tag] })).entity_ids;
}
