import type { Actor, EntitySearchNode, EntityType } from '@svc/domain';
import type { JobSearch } from '../jobs/job-lists.ts';

/** What a rule asks of entities. */
export interface EntityQuestion {
  /** By whose view of jobs and cases it is asked. */
  readonly viewer: Actor;
  /** Null for all. */
  readonly root: EntitySearchNode | null;
  /** None for all. */
  readonly types: readonly EntityType[];
  /** The only one that is meant; null for any. */
  readonly entityId: number | null;
  /** How many are wanted, those of the lowest ids. */
  readonly limit: number;
}

/** Which entities are asked: those that a job names, or those with ids after one and up to another. */
export type AskedEntities = { readonly jobId: number } | { readonly after: number; readonly upTo: number };

/** Ids of what meets a question, or why it could not be asked. */
export type Matched = readonly number[] | Error;

/** What meets the conditions of rules, by the searches that pages use (resolved-intel 10.4). Part of a transaction. */
export interface RuleMatches {
  /** Types of the entities that a job names. */
  typesOf(jobId: number): Promise<readonly EntityType[]>;
  /** The last of so many ids after this one; null where none follows. */
  endOf(after: number, limit: number): Promise<number | null>;
  /** Answers in the order of the questions. One that cannot be answered keeps no other from its answer. */
  entities(asked: AskedEntities, questions: readonly EntityQuestion[], now: Date): Promise<readonly Matched[]>;
  /** Whether a job meets a search, private or not, or why that cannot be told. */
  job(jobId: number, viewer: Actor, search: JobSearch): Promise<boolean | Error>;
}
