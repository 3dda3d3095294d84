/** A folder in which the service keeps something, and the disk that it is on. */
export interface Disk {
  /** What is in it. */
  readonly name: string;
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Whether the folder is there already. */
  readonly isThere: boolean;
  /** Number of the account whose folder it is; null where there are none. */
  readonly owner: number | null;
}

/** The machine that this process runs on, for whoever looks after it. */
export interface Machine {
  /** As people call it, with its kernel and processor. */
  readonly system: { readonly platform: string; readonly arch: string; readonly name: string };
  readonly cores: number;
  readonly memoryBytes: number;
  /** Folders in which something of the service lasts, or would; none where all of that is elsewhere. */
  disks(): Promise<readonly Disk[]>;
}
