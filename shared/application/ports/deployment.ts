/** What the operator decided in the environment, as far as use cases depend on it. */
export interface Deployment {
  readonly version: string;
  /** One process is everything: web, workers, database. */
  readonly embedded: boolean;
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Session cookies are sent over TLS only. */
    readonly secureCookies: boolean;
    readonly logRequests: boolean;
  };
  /** Of one file. */
  readonly maxUploadBytes: number;
  readonly maxConcurrentUploads: number;
  /** Jobs that this process analyses at the same time. */
  readonly workers: number;
  /** Seconds a job may wait for a worker. */
  readonly queueExpirySeconds: number;
  /** Seconds between two signs of life of a worker. */
  readonly heartbeatSeconds: number;
  /** Of the text kept of one task. */
  readonly maxLogOutputBytes: number;
  /** First administrator (resolved-platform 14.3); null unless both variables are set. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | null;
}
