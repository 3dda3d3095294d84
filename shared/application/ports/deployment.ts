/** What the operator decided in the environment, as far as use cases depend on it. */
export interface Deployment {
  readonly version: string;
  /** One process is everything: web, workers, database. */
  readonly embedded: boolean;
  /** Of one file. */
  readonly maxUploadBytes: number;
  readonly maxConcurrentUploads: number;
  /** Seconds a job may wait for a worker. */
  readonly queueExpirySeconds: number;
  /** Seconds a worker may be silent before its job counts as lost. */
  readonly leaseSeconds: number;
  /** Seconds between two signs of life of a worker. */
  readonly heartbeatSeconds: number;
  /** Of the text kept of one task. */
  readonly maxLogOutputBytes: number;
  /** First administrator (resolved-platform 14.3); null unless both variables are set. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | null;
}
