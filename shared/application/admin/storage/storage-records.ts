/**
 * What all objects of the store are gone over for: to say what takes room, to remove what nobody owns because somebody
 * asked for that, to see whether there is such, and to remove that, which the daily sweep does one after the other.
 */
export const walkPurposes = ['usage', 'purge', 'look', 'sweep'] as const;
export type WalkPurpose = (typeof walkPurposes)[number];

export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** An object that no row names. */
export interface UnownedObject {
  readonly key: string;
  readonly bytes: number;
  readonly stored_at: string;
}

/** What a walk has come across so far. */
export interface WalkFound {
  readonly uploads: Amount;
  readonly outputs: Amount;
  readonly packs: Amount;
  readonly unowned: Amount;
  /** The first of those. */
  readonly sample: readonly UnownedObject[];
  /** What was removed on the way. */
  readonly removed: Amount;
  /** Jobs whose files and outputs are largest, once the walk has ended. */
  readonly largest: readonly { readonly job_id: number; readonly bytes: number }[];
}

export interface StorageWalk {
  readonly pages: number;
  readonly beganAt: Date;
  readonly changedAt: Date;
  readonly endedAt: Date | null;
  readonly cursor: string | null;
  readonly found: WalkFound;
}

/** What the database says of objects, and how far the walks over them are. */
export interface StorageRecords {
  /** Those of the keys that no row names: neither as somebody's, nor as one that is to be removed anyway. */
  unnamed(keys: readonly string[]): Promise<readonly string[]>;
  /** Those whose file and outputs together are largest; that of all jobs is asked, however many there are. */
  largestJobs(most: number): Promise<WalkFound['largest']>;
  /** What lists call these jobs; those that are gone are left out. */
  fileNames(jobIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  walk(purpose: WalkPurpose): Promise<StorageWalk | null>;
  /** Begins the walk of this purpose anew. */
  begin(purpose: WalkPurpose, at: Date): Promise<StorageWalk>;
  /** Notes a page more; false, and nothing is, when another has noted it or begun anew. */
  advance(purpose: WalkPurpose, walk: StorageWalk): Promise<boolean>;
}
