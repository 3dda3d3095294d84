/** Similarity digests of files of this machine. */
export interface SimilarityDigests {
  /** The TLSH digest; null when the content has none. Rejects with the signal's reason once that aborts. */
  ofFile(path: string, signal: AbortSignal): Promise<string | null>;
}
