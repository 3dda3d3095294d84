import type { InputOf, OperationName, operations, OutputOf } from '@svc/contracts';
import type { Deed, SiteSettings } from '@svc/domain';

type Operations = typeof operations;

/** What is known of a request that was done. */
export interface Told<N extends OperationName> {
  readonly input: InputOf<Operations[N]>;
  readonly output: OutputOf<Operations[N]>;
  readonly before: Before;
}

/** How things were before. */
export interface Before {
  readonly settings: SiteSettings;
  /** Of what is changed, where the answer does not say it; null where it was not found. */
  readonly name: string | null;
  /** Whether somebody else has made it. */
  readonly isOthers: boolean;
}

/** Says what a request has done; null where it has done nothing that is recorded. */
export type Teller<N extends OperationName> = (told: Told<N>) => Deed | null;

/** Operations that change something. Each has a teller, or null where nothing is recorded. */
export type Changing = {
  [N in OperationName]: Operations[N]['method'] extends 'GET' ? never : N;
}[OperationName];
export type Tellers = { readonly [N in Changing]: Teller<N> | null } & {
  readonly [N in Exclude<OperationName, Changing>]?: Teller<N>;
};

/** Ids of what things are done to, under the names of their types. */
export const targets = {
  job: (id: number) => ['job', id] as const,
  entity: (id: number) => ['entity', id] as const,
  account: (id: string) => ['user', id] as const,
  alertRule: (id: number) => ['watch_rule', id] as const,
  list: (id: number) => ['rule_list', id] as const,
  case: (id: number) => ['case', id] as const,
};

export function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Names of the fields that a request carries; ids name what is changed. */
export function namesOf(input: object): string[] {
  return Object.entries(input).flatMap(([name, value]) => (value === undefined || name === 'id' ? [] : [name]));
}

export function namesOfTags(tags: string | readonly string[]): string {
  return typeof tags === 'string' ? tags : tags.join(', ');
}
