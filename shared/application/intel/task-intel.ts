import type { EntityType } from '@svc/domain';
import type { DerivedIntel } from '@svc/engine';
import type { JobAnalytics } from '../report/derivation-repository.ts';

/** What a task found of intel, as it is stored with it: findings by their ids instead of by their places. */
export interface TaskIntel extends Omit<DerivedIntel, 'findings'> {
  /** `entities` are places among the entities; null where that was not noted. */
  readonly findings: readonly { readonly finding: number; readonly entities: readonly number[] }[] | null;
}

/** @param ids - of the findings, in their order; undefined for one that is not stored */
export function taskIntelOf({ findings, ...intel }: DerivedIntel, ids: readonly (number | undefined)[]): TaskIntel {
  return {
    ...intel,
    findings: findings.flatMap(({ rule, entities }) => {
      const finding = ids[rule];
      return finding === undefined || entities.length === 0 ? [] : [{ finding, entities }];
    }),
  };
}

/** What results of versions tell that kept no more: what the matched events name. */
export function taskIntelOfAnalytics({ entities, entitiesTruncated }: JobAnalytics): TaskIntel {
  const ofType = Object.entries(entities) as [EntityType, JobAnalytics['entities'][EntityType]][];
  return {
    entities: ofType.flatMap(([type, named]) => named.map(({ value, count }) => ({ type, value, count }))),
    findings: null,
    relationships: [],
    isTruncated: entitiesTruncated,
  };
}
