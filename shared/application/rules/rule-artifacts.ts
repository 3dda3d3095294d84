/** A compiled set of rules in the object store. */
export interface RuleArtifact {
  /** Of all that it was made from: packs, selection, decisions, and the engine. */
  readonly digest: string;
  readonly storageKey: string;
  /** Rules and correlations that give findings. */
  readonly loaded: number;
}

/** Which compiled sets of rules there are; all of them can be made again. */
export interface RuleArtifacts {
  find(digest: string): Promise<RuleArtifact | null>;
  /** The one that is kept: of two that are made at once, the first. */
  add(artifact: RuleArtifact, at: Date): Promise<RuleArtifact>;
  remove(digest: string): Promise<void>;
  /** Forgets those made before a time, and returns them. */
  removeOld(before: Date): Promise<readonly RuleArtifact[]>;
}
