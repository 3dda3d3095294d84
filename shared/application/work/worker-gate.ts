import { policyOf } from '@svc/contracts/tasks.ts';
import { countedEnds, noCounts, type CountedEnd, type JobStatus, withAnalysis, type WorkerFacts } from '@svc/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostStanding, WorkerLifetimes } from '../admin/workers/worker-registry.ts';
import type { Ports } from '../ports/ports.ts';
import type { Lease } from '../ports/task-queue.ts';

/** A job that was left to others so often is begun here all the same. */
const mostDeferrals = 20;
/** How long that is remembered of a job. */
const rememberedMs = 1_800_000;

/** How often things are looked at, in milliseconds. */
export interface GatePace {
  /** What is known of the cap and of other hosts stands for so long. */
  readonly standsMs: number;
  /** Between two looks of a process that may begin no job at what nobody else begins. */
  readonly deferMs: number;
  /** What has begun or ended is told within this time, all of it at once. */
  readonly tellMs: number;
}

/** In 20 minutes a job is begun anyway, before it has waited for too long (`TASKQ_QUEUE_EXPIRY`). */
const usualPace: GatePace = { standsMs: 5000, deferMs: 60_000, tellMs: 500 };

type GatePorts = Pick<Ports, 'deployment' | 'log' | 'workers'>;

/**
 * What a process that analyses jobs says of itself, again and again whatever its jobs do, and whether it may begin
 * another one (resolved-platform 16.4). Where the registry does not answer, it may.
 */
export class WorkerGate {
  readonly #ports: GatePorts;
  readonly #facts: WorkerFacts;
  readonly #pace: GatePace;
  readonly #lifetimes: WorkerLifetimes;
  readonly #underWay = new Map<string, { readonly jobId: number | null; readonly since: string }>();
  readonly #deferrals = new Map<string, { readonly count: number; readonly at: number }>();
  #counts = noCounts;
  #known: { readonly at: number; readonly standing: Promise<HostStanding> } | null = null;
  /** When a process that may begin no job looks next at what nobody else begins. */
  #looksAt: number | null = null;
  #heart: NodeJS.Timeout | undefined;
  #telling: NodeJS.Timeout | undefined;
  /** Writes of this process, one after the other. */
  #writes: Promise<unknown> = Promise.resolve();
  #isInTrouble = false;

  constructor(ports: GatePorts, facts: WorkerFacts, pace: Partial<GatePace> = {}) {
    const { worker } = ports.deployment;
    this.#ports = ports;
    this.#facts = facts;
    this.#pace = { ...usualPace, ...pace };
    this.#lifetimes = { alive: worker.aliveSeconds, slots: Math.min(worker.aliveSeconds, worker.leaseSeconds) };
  }

  /** Tells of this process from now on. */
  open(): void {
    const { heartbeatSeconds } = this.#ports.deployment;
    const seconds = Math.min(heartbeatSeconds, this.#lifetimes.alive / 3);
    this.#heart = setInterval(() => void this.#tell(), seconds * 1000);
    void this.#tell();
  }

  /** Tells that it has ended. */
  async close(): Promise<void> {
    clearInterval(this.#heart);
    clearTimeout(this.#telling);
    await this.#write(() => this.#ports.workers.leave(this.#facts.process));
  }

  /**
   * Waits while no job may be begun here. Resolves sooner, once in a while, with true: then it is to be seen whether
   * there is a job that nobody else begins.
   */
  async wait(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#mayBegin()) {
        this.#looksAt = null;
        return false;
      }
      const now = performance.now();
      this.#looksAt ??= now + this.#pace.deferMs;
      if (now >= this.#looksAt) {
        this.#looksAt = now + this.#pace.deferMs;
        return true;
      }
      await sleep(Math.min(this.#pace.standsMs, this.#looksAt - now), undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  /** Takes a place of the host for what was received; false when it is to be left to others. */
  async admit(lease: Lease): Promise<boolean> {
    // What is no work of these lanes came from a queue that has all of them.
    const lane = policyOf(lease.task)?.lane;
    if (lane !== 'fast' && lane !== 'heavy') return true;
    const isPatient = this.#deferredOften(lease.key);
    if (!isPatient && !(await this.#mayBegin())) return this.#defer(lease.key);
    const jobId = lease.task.kind === 'run_analysis' ? lease.task.jobId : null;
    this.#underWay.set(lease.key, { jobId, since: new Date().toISOString() });
    const { cap } = await this.#standing();
    if (cap <= 0 || isPatient) {
      this.#tellSoon();
    } else if (!(await this.#takeSlot())) {
      this.#underWay.delete(lease.key);
      // Others of this host have all that it may have, which was not known here yet.
      this.#known = { at: performance.now(), standing: Promise.resolve({ cap, jobs: cap, hasOthers: true }) };
      return this.#defer(lease.key);
    }
    this.#deferrals.delete(lease.key);
    return true;
  }

  /** What was admitted is done with. */
  done(lease: Lease): void {
    if (!this.#underWay.delete(lease.key)) return;
    this.#known = null;
    this.#tellSoon();
  }

  /** Counts a job that has ended here. */
  count(status: JobStatus, seconds: number): void {
    const end = countedEnds.find((one): one is CountedEnd => one === status);
    if (end !== undefined) this.#counts = withAnalysis(this.#counts, end, seconds);
  }

  async #mayBegin(): Promise<boolean> {
    const { cap, jobs, hasOthers } = await this.#standing();
    if (cap < 0) return !hasOthers;
    return cap === 0 || Math.max(jobs, this.#underWay.size) < cap;
  }

  /** Asked once for all places of this process. */
  #standing(): Promise<HostStanding> {
    const now = performance.now();
    if (this.#known === null || now - this.#known.at >= this.#pace.standsMs) {
      const standing = this.#ports.workers.standing(this.#facts.hostname).catch((error: unknown) => {
        this.#trouble(error);
        return { cap: 0, jobs: 0, hasOthers: false };
      });
      this.#known = { at: now, standing };
    }
    return this.#known.standing;
  }

  #takeSlot(): Promise<boolean> {
    return this.#write(() => this.#ports.workers.takeSlot(this.#state(), this.#lifetimes)).then(
      (isTaken) => isTaken ?? true,
    );
  }

  #deferredOften(key: string): boolean {
    return (this.#deferrals.get(key)?.count ?? 0) >= mostDeferrals;
  }

  #defer(key: string): false {
    const now = performance.now();
    for (const [other, { at }] of this.#deferrals) if (now - at > rememberedMs) this.#deferrals.delete(other);
    this.#deferrals.set(key, { count: (this.#deferrals.get(key)?.count ?? 0) + 1, at: now });
    return false;
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => void this.#tell(), this.#pace.tellMs);
  }

  async #tell(): Promise<void> {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    await this.#write(() => this.#ports.workers.beat(this.#state(), this.#lifetimes));
  }

  #state() {
    return { facts: this.#facts, jobs: [...this.#underWay.values()], counts: this.#counts };
  }

  /** One after the other, so that an older word never stands after a newer one; null when it failed. */
  #write<T>(write: () => Promise<T>): Promise<T | null> {
    const written = this.#writes.then(write).then(
      (value) => {
        this.#isInTrouble = false;
        return value;
      },
      (error: unknown) => {
        this.#trouble(error);
        return null;
      },
    );
    this.#writes = written;
    return written;
  }

  /** Said once, not each time for as long as the database is away. */
  #trouble(error: unknown): void {
    if (!this.#isInTrouble)
      this.#ports.log.warn('the worker cannot tell of itself; it takes jobs all the same', { error });
    this.#isInTrouble = true;
  }
}
