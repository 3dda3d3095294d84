/** What the thread that makes a digest says before it ends. */
export interface DigestReply {
  readonly digest: string | null;
}
