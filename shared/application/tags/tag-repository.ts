import type { Actor, Tag, TagColor } from '@svc/domain';

/** A tag of the vocabulary with the number of entities that carry it, and of jobs, among those that the viewer sees. */
export interface TagUse extends Tag {
  readonly entities: number;
  readonly jobs: number;
}

export interface ManagedTag extends TagUse {
  readonly description: string | null;
  /** When it was last given to one of these. */
  readonly lastUsedAt: Date | null;
}

export interface TagPage {
  readonly tags: readonly ManagedTag[];
  readonly page: number;
  readonly total: number;
  /** Entities that carry any tag. */
  readonly taggedEntities: number;
}

export interface StoredTag extends Tag {
  readonly id: number;
}

/** Tags that entities are given; `by` is an account id, null for a rule. */
export interface EntityTagging {
  readonly entityIds: readonly number[];
  readonly by: string | null;
  readonly at: Date;
}

/** That an entity is to carry a tag. */
export interface GivenToEntity {
  readonly name: string;
  readonly entityId: number;
}

/** A tag to give; without a colour it keeps its own, or is gray when it is new. */
export interface WantedTag {
  readonly name: string;
  readonly color: TagColor | null;
}

/** What carries a tag, by their ids. */
export interface TagCarriers {
  readonly jobs: readonly number[];
  readonly entities: readonly number[];
}

/** Tags that jobs are given; `by` is an account id. */
export interface JobTagging {
  readonly jobIds: readonly number[];
  readonly by: string | null;
  readonly at: Date;
}

/** A tag that a job did not carry before; giving it again after it was taken off makes another link. */
export interface NewTagLink {
  readonly id: number;
  readonly jobId: number;
  readonly name: string;
}

export interface TakenTag {
  readonly jobId: number;
  readonly name: string;
}

/** The vocabulary of tags, shared by everything that carries them (service 2.7). */
export interface TagRepository {
  /** Tags whose name contains the text, the most used first: by jobs alone where only these are asked for. */
  find(
    viewer: Actor,
    wanted: { readonly text: string; readonly limit: number; readonly of?: 'jobs' },
  ): Promise<TagUse[]>;
  /** A page of the vocabulary; past the end, the last one. */
  list(
    viewer: Actor,
    wanted: {
      readonly text: string;
      readonly sort: 'count' | 'name' | 'recent';
      readonly page: number;
      readonly per: number;
    },
  ): Promise<TagPage>;
  /** How many there are, also those that nothing carries. */
  count(): Promise<number>;
  /** Those of the names that are in the vocabulary, by name. */
  named(names: readonly string[]): Promise<Tag[]>;
  /** Gives all the jobs, which the transaction holds, all the tags; a colour is taken everywhere. Returns the new links. */
  add(tags: readonly WantedTag[], tagging: JobTagging): Promise<readonly NewTagLink[]>;
  /** Takes tags off the jobs; returns those that there were. They stay in the vocabulary. */
  remove(names: readonly string[], jobIds: readonly number[]): Promise<readonly TakenTag[]>;
  /** Gives all the entities, which the transaction holds, all the tags; a colour is taken everywhere. Of each new link, its entity. */
  addToEntities(tags: readonly WantedTag[], tagging: EntityTagging): Promise<readonly number[]>;
  /** Those of these that are not given yet. */
  lacking(given: readonly GivenToEntity[]): Promise<readonly GivenToEntity[]>;
  /** Gives entities, which the transaction holds, tags of the vocabulary. */
  give(given: readonly GivenToEntity[], by: Omit<EntityTagging, 'entityIds'>): Promise<void>;
  /** Takes tags off entities, which the transaction holds; of each link that there was, its entity. */
  removeFromEntities(names: readonly string[], entityIds: readonly number[]): Promise<readonly number[]>;
  /** Puts tags into the vocabulary; the names of those that were not there. */
  create(
    tags: readonly WantedTag[],
    made: { readonly description: string | null; readonly by: string | null; readonly at: Date },
  ): Promise<ReadonlySet<string>>;
  /** Locks those of the tags that there are, so that nobody gives them, until the transaction ends. */
  hold(names: readonly string[]): Promise<readonly StoredTag[]>;
  /** What carries a tag. */
  carriers(name: string): Promise<TagCarriers>;
  /** How many of these there are, and of the jobs only those that the viewer sees. */
  countSeen(viewer: Actor, carriers: TagCarriers): Promise<number>;
  change(id: number, change: Partial<Tag>): Promise<void>;
  /** Has what carries one tag carry another one, too; those to which that is new. */
  move(from: number, to: number): Promise<TagCarriers>;
  /** Takes a tag off everything and out of the vocabulary. */
  drop(id: number): Promise<void>;
  /** Tags of a job, by name. */
  ofJob(jobId: number): Promise<Tag[]>;
}
