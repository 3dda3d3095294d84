import type { Actor, EntityCondition, SearchedEntity } from '@svc/domain';
import type { JobSearch } from '../jobs/job-lists.ts';

/** Which entities are asked: those that a job names, those with ids after one and up to another, or these. */
export type AskedEntities =
  | { readonly jobId: number }
  | { readonly after: number; readonly upTo: number }
  | { readonly ids: readonly number[] };

/** What is read of an entity once for all rules. */
export interface RuledEntity extends SearchedEntity {
  readonly id: number;
  readonly key: string;
}

/** A condition of a rule, and by whose view of jobs and cases it is asked. */
export interface AskedCondition {
  readonly viewer: Actor;
  readonly condition: EntityCondition;
}

/** Ids of what meets a condition, or why it could not be asked. */
export type Matched = readonly number[] | Error;

/** What the conditions of rules are held against (resolved-intel 10.4). Part of a transaction. */
export interface RuleMatches {
  /** The last of so many ids after this one; null where none follows. */
  endOf(after: number, limit: number): Promise<number | null>;
  /** In the order of their ids. */
  entities(asked: AskedEntities): Promise<readonly RuledEntity[]>;
  /** What meets each of these, as pages find it. One that cannot be answered keeps no other from its answer. */
  meeting(asked: AskedEntities, wanted: readonly AskedCondition[], now: Date): Promise<readonly Matched[]>;
  /** Whether a job meets each of these searches, private or not, or why that cannot be told. */
  job(
    jobId: number,
    asked: readonly { readonly viewer: Actor; readonly search: JobSearch }[],
  ): Promise<readonly (boolean | Error)[]>;
}
