import type { Actor, Tag, TagColor } from '@svc/domain';

/** A tag of the vocabulary with the number of jobs that carry it, among those that the viewer sees. */
export interface TagUse extends Tag {
  readonly jobs: number;
}

/** A tag to give; without a colour it keeps its own, or is gray when it is new. */
export interface WantedTag {
  readonly name: string;
  readonly color: TagColor | null;
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
  /** Tags whose name contains the text, the most used first. */
  find(viewer: Actor, wanted: { readonly text: string; readonly limit: number }): Promise<TagUse[]>;
  /** Those of the names that are in the vocabulary, by name. */
  named(names: readonly string[]): Promise<Tag[]>;
  /** Gives all the jobs, which the transaction holds, all the tags; a colour is taken everywhere. Returns the new links. */
  add(tags: readonly WantedTag[], tagging: JobTagging): Promise<readonly NewTagLink[]>;
  /** Takes tags off the jobs; returns those that there were. They stay in the vocabulary. */
  remove(names: readonly string[], jobIds: readonly number[]): Promise<readonly TakenTag[]>;
  /** Tags of a job, by name. */
  ofJob(jobId: number): Promise<Tag[]>;
}
