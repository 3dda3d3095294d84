import type { LiveWorker, WorkerState } from '@svc/domain';

/** For how many seconds what a worker says of itself stands. */
export interface WorkerLifetimes {
  /** Without another word it is gone afterwards. */
  readonly alive: number;
  /** Its jobs count against the cap of its host no longer than this: another worker takes them over then. */
  readonly slots: number;
}

/** Whether a host may begin a job. */
export interface HostStanding {
  /** Jobs at a time; 0 for any number, -1 for none. */
  readonly cap: number;
  /** Jobs that its processes have under way. */
  readonly jobs: number;
  /** Whether workers of other hosts are alive. */
  readonly hasOthers: boolean;
}

/** Who analyses jobs, and how many the operator lets each host have at a time (resolved-platform 16.4). */
export interface WorkerRegistry {
  /** Writes what a worker says of itself, and forgets those that are gone. */
  beat(state: WorkerState, lifetimes: WorkerLifetimes): Promise<void>;
  /** Writes it with a job more, unless the cap of its host is exceeded then: whether it was written. */
  takeSlot(state: WorkerState, lifetimes: WorkerLifetimes): Promise<boolean>;
  /** A worker ends. */
  leave(process: string): Promise<void>;
  standing(hostname: string): Promise<HostStanding>;
  /** Workers that are alive, by host and process, and the caps of hosts that have one. */
  fleet(): Promise<{ readonly workers: readonly LiveWorker[]; readonly caps: ReadonlyMap<string, number> }>;
  /** @param cap - jobs at a time; 0 for any number, -1 for none unless no other host works */
  setCap(hostname: string, cap: number): Promise<void>;
}
