import { RequestError, type SubmittedJob } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import { SendError } from '../../api/send-body.ts';
import type { SendOptions, SendWatch } from '../../api/send-options.ts';
import { plainOptions, type Options, type Stage, type Submission } from './submission.ts';

/** Transfers at a time (interface brief; service 8.2). */
export const SLOTS = 2;
const MOST_WAITS = 12;
/** Between attempts after lost connections, which come ever later. */
const LONGEST_WAIT_SECONDS = 60;
const CONNECTION_LOST = 'The connection to the service is lost; the file is still here';

/** What the queue needs from outside. */
export interface QueuePorts {
  detect(file: File): Promise<{ readonly type: LogType; readonly notLog: string | null }>;
  send(file: File, options: SendOptions, watch: SendWatch): Promise<SubmittedJob>;
  /** A new idempotency key; null for a visitor, who may not send one. */
  newKey(): string | null;
  now(): number;
  after(ms: number, run: () => void): void;
}

/** What the queue shows: its files, how they are submitted, and how many of the last selection were too many. */
export interface QueueState {
  readonly list: readonly Submission[];
  readonly leftOut: number;
  readonly options: Options;
}

/** Most files, bytes a file and transfers at a time that this service takes. */
export interface QueueLimits {
  readonly files: number;
  readonly bytes: number;
  readonly slots: number;
}

/** Files on their way to the service: finds their types, sends two at a time, waits when told to. */
export class SubmissionQueue {
  readonly #ports: QueuePorts;
  readonly #watchers = new Set<() => void>();
  readonly #stops = new Map<number, AbortController>();
  readonly #options = new Map<number, SendOptions>();
  readonly #waits = new Map<number, number>();
  /** Idempotency keys of files whose answer was lost: the same again asks for the same job. */
  readonly #unanswered = new Map<number, string>();
  /** Until when nothing is sent, since the service counts requests. */
  #heldUntil = 0;
  #state: QueueState = { list: [], leftOut: 0, options: plainOptions };
  #nextKey = 1;
  #slots = SLOTS;

  constructor(ports: QueuePorts) {
    this.#ports = ports;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): QueueState => this.#state;

  /** Takes files in and finds out what they are; empty ones and those too large are refused at once. Their keys. */
  add(files: readonly File[], limits: QueueLimits): number[] {
    this.#slots = Math.min(SLOTS, limits.slots);
    const open = this.#state.list.filter(({ stage }) => stage.at !== 'accepted').length;
    const room = Math.max(0, limits.files - open);
    const taken = files.slice(0, room).map((file): Submission => {
      const stage = stageOf(file, limits);
      const detection = { at: stage.at === 'ready' ? 'asking' : 'unanswered' } as const;
      return { key: this.#nextKey++, file, detection, own: {}, stage };
    });
    this.#set({ list: [...this.#state.list, ...taken], leftOut: files.length - taken.length });
    for (const submission of taken) if (submission.detection.at === 'asking') void this.#ask(submission);
    return taken.map(({ key }) => key);
  }

  /** Options of all files that have none of their own. */
  chooseForAll(choice: Partial<Options>): void {
    this.#set({ options: { ...this.#state.options, ...choice } });
  }

  /** Options of one file; null makes it like the others. Another type asks for its workflow anew. */
  choose(key: number, choice: Partial<Options> | null): void {
    this.#update(key, (submission) => {
      if (choice === null) return { ...submission, own: {} };
      const { workflow: _workflow, ...rest } = submission.own;
      return { ...submission, own: { ...(choice.type === undefined ? submission.own : rest), ...choice } };
    });
  }

  /** Takes a file out, stopping its transfer. */
  remove(key: number): void {
    this.#stops.get(key)?.abort();
    this.#stops.delete(key);
    this.#set({ list: this.#state.list.filter((submission) => submission.key !== key) });
    this.#pump();
  }

  /** Takes out all that are through. */
  clearAccepted(): void {
    this.#set({ list: this.#state.list.filter(({ stage }) => stage.at !== 'accepted') });
  }

  /** Puts a file in line for sending; also again, after a refusal or to analyse known bytes anew. */
  submit(key: number, options: SendOptions): void {
    if (JSON.stringify(this.#options.get(key)) !== JSON.stringify(options)) this.#unanswered.delete(key);
    this.#options.set(key, options);
    this.#waits.set(key, 0);
    this.#stage(key, { at: 'waiting', reason: null, until: 0 });
    this.#pump();
  }

  async #ask({ key, file }: Submission): Promise<void> {
    const detection = await this.#ports.detect(file).then(
      ({ type, notLog }) => ({ at: 'known', type, notLog }) as const,
      () => ({ at: 'unanswered' }) as const,
    );
    this.#update(key, (submission) => ({ ...submission, detection }));
  }

  #pump(): void {
    const now = this.#ports.now();
    if (now < this.#heldUntil) return;
    let free = this.#slots - this.#state.list.filter(({ stage }) => stage.at === 'sending').length;
    for (const { key, stage } of this.#state.list) {
      if (free <= 0) return;
      if (stage.at !== 'waiting' || stage.until > now) continue;
      free -= 1;
      void this.#send(key);
    }
  }

  async #send(key: number): Promise<void> {
    const submission = this.#state.list.find((candidate) => candidate.key === key);
    const options = this.#options.get(key);
    if (!submission || !options) return;
    this.#stage(key, { at: 'sending', step: 'sending', done: 0 });
    const stage = await this.#transfer(submission, options).then(
      (job): Stage => ({ at: 'accepted', job }),
      (error: unknown) => this.#afterFailure(key, error),
    );
    this.#stage(key, stage);
    this.#pump();
  }

  /** Sends a file under a key, which is kept as long as nobody has answered to it. */
  async #transfer({ key, file }: Submission, options: SendOptions): Promise<SubmittedJob> {
    const idempotencyKey = this.#unanswered.get(key) ?? this.#ports.newKey();
    if (idempotencyKey !== null) this.#unanswered.set(key, idempotencyKey);
    try {
      const stop = new AbortController();
      this.#stops.set(key, stop);
      const job = await this.#ports.send(file, options, {
        signal: stop.signal,
        onProgress: (done, step) => this.#stage(key, { at: 'sending', step, done }),
        idempotencyKey,
      });
      this.#unanswered.delete(key);
      return job;
    } catch (error) {
      if (refusalOf(error)) this.#unanswered.delete(key);
      throw error;
    }
  }

  /** Tries files that wait for a lost connection at once, now that it seems to be back. */
  readonly reconnect = (): void => {
    for (const { key, stage } of this.#state.list) {
      if (stage.at === 'waiting' && stage.reason === CONNECTION_LOST) this.#stage(key, { ...stage, until: 0 });
    }
    this.#pump();
  };

  /**
   * A service that is busy is waited for however long it takes, one that is away, names a time to
   * come back or does not answer for some rounds; other refusals are the user's to read.
   */
  #afterFailure(key: number, error: unknown): Stage {
    const waits = this.#waits.get(key) ?? 0;
    const refusal = refusalOf(error);
    const after = refusal?.retryAfter ?? null;
    const busy = refusal?.status === 429;
    const lost = error instanceof SendError && refusal === null;
    const away = (lost || refusal?.status === 503 || after !== null) && waits < MOST_WAITS;
    if (!busy && !away) {
      const message = error instanceof Error ? error.message : 'The file could not be sent.';
      const { code = null, requestId = null } = refusal ?? {};
      return { at: 'refused', message, code, requestId, final: false };
    }
    this.#waits.set(key, waits + 1);
    const seconds = after ?? (lost ? Math.min(LONGEST_WAIT_SECONDS, 2 ** (waits + 1)) : 5);
    const until = this.#ports.now() + seconds * 1000;
    // The limit is one for all files: each that tried meanwhile would only be turned away as well.
    if (refusal?.code === 'rate_limited') this.#heldUntil = until;
    this.#ports.after(seconds * 1000 + 50, () => this.#pump());
    return { at: 'waiting', reason: refusal?.message ?? CONNECTION_LOST, until };
  }

  #stage(key: number, stage: Stage): void {
    this.#update(key, (submission) => ({ ...submission, stage }));
  }

  #update(key: number, change: (submission: Submission) => Submission): void {
    this.#set({
      list: this.#state.list.map((submission) => (submission.key === key ? change(submission) : submission)),
    });
  }

  #set(change: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of this.#watchers) watcher();
  }
}

function refused(message: string, code: string): Stage {
  return { at: 'refused', message, code, requestId: null, final: true };
}

/** Where a file begins: refused where it is plain that the service would. */
function stageOf({ size }: File, { bytes }: QueueLimits): Stage {
  if (size === 0) return refused('This file is empty (0 bytes)', 'empty');
  return size <= bytes ? { at: 'ready' } : refused('Larger than this service accepts', 'too_large');
}

/** What the service said; null when no answer came back. */
function refusalOf(error: unknown): RequestError | null {
  if (error instanceof SendError) return error.refusal;
  return error instanceof RequestError ? error : null;
}
