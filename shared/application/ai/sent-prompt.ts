/** What stands in a prompt in place of names of the site. */
export interface Pseudonym {
  readonly token: string;
  readonly value: string;
}

/** What a model is told, and what is known of that. */
export interface SentPrompt {
  readonly system: string;
  /** The brief; everything after its first line is declared untrusted. */
  readonly user: string;
  /** A line for each kind of thing that was left out. */
  readonly omissions: readonly string[];
  /** By which the answer says names again; none where they left as they are. */
  readonly pseudonyms: readonly Pseudonym[];
}
