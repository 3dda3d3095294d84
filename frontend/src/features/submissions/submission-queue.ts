import { RequestError, type DetectedType, type SubmittedJob } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import { SendError } from '../../api/send-body.ts';
import type { SendOptions, SendWatch } from '../../api/send-options.ts';
import type { Stage, Submission } from './submission.ts';

/** Transfers at a time (interface brief; service 8.2). */
export const SLOTS = 2;
const MOST_WAITS = 12;

/** What the queue needs from outside. */
export interface QueuePorts {
  detect(file: File, signal: AbortSignal): Promise<DetectedType>;
  send(file: File, options: SendOptions, watch: SendWatch): Promise<SubmittedJob>;
  now(): number;
  after(ms: number, run: () => void): void;
}

/** What the queue shows: its files, and how many of the last selection were more than is taken at once. */
export interface QueueState {
  readonly list: readonly Submission[];
  readonly leftOut: number;
}

/** Most files, bytes a file and transfers at a time that this service takes. */
export interface QueueLimits {
  readonly files: number;
  readonly bytes: number;
  readonly slots: number;
}

/** Files on their way to the service: asks for their types, sends two at a time, waits when told to. */
export class SubmissionQueue {
  readonly #ports: QueuePorts;
  readonly #watchers = new Set<() => void>();
  readonly #stops = new Map<number, AbortController>();
  readonly #options = new Map<number, SendOptions>();
  readonly #waits = new Map<number, number>();
  #state: QueueState = { list: [], leftOut: 0 };
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

  /** Takes files in and asks what they are; one that is too large is refused at once. */
  add(files: readonly File[], limits: QueueLimits): void {
    this.#slots = Math.min(SLOTS, limits.slots);
    const open = this.#state.list.filter(({ stage }) => stage.at !== 'accepted').length;
    const room = Math.max(0, limits.files - open);
    const taken = files.slice(0, room).map((file): Submission => {
      const stage: Stage =
        file.size > limits.bytes
          ? { at: 'refused', message: 'Larger than this service accepts', requestId: null, final: true }
          : { at: 'ready' };
      const detection = stage.at === 'ready' ? ({ at: 'asking' } as const) : ({ at: 'unanswered' } as const);
      return { key: this.#nextKey++, file, detection, chosenType: null, chosenWorkflow: null, stage };
    });
    this.#set([...this.#state.list, ...taken], files.length - taken.length);
    for (const submission of taken) if (submission.detection.at === 'asking') void this.#ask(submission);
  }

  choose(key: number, choice: { type?: LogType | null; workflow?: number }): void {
    this.#update(key, (submission) => ({
      ...submission,
      chosenType: choice.type === undefined ? submission.chosenType : choice.type,
      chosenWorkflow: choice.workflow ?? (choice.type === undefined ? submission.chosenWorkflow : null),
    }));
  }

  /** Takes a file out, stopping its transfer. */
  remove(key: number): void {
    this.#stops.get(key)?.abort();
    this.#stops.delete(key);
    this.#set(this.#state.list.filter((submission) => submission.key !== key));
    this.#pump();
  }

  /** Takes out all that are through. */
  clearAccepted(): void {
    this.#set(this.#state.list.filter(({ stage }) => stage.at !== 'accepted'));
  }

  /** Puts a file in line for sending; also again, after a refusal or to analyse known bytes anew. */
  submit(key: number, options: SendOptions): void {
    this.#options.set(key, options);
    this.#waits.set(key, 0);
    this.#stage(key, { at: 'waiting', reason: null, until: 0 });
    this.#pump();
  }

  async #ask({ key, file }: Submission): Promise<void> {
    const stop = this.#stopOf(key);
    const detection = await this.#ports.detect(file, stop.signal).then(
      ({ log_type: type }) => ({ at: 'known', type }) as const,
      () => ({ at: 'unanswered' }) as const,
    );
    this.#update(key, (submission) => ({ ...submission, detection }));
  }

  #pump(): void {
    let free = this.#slots - this.#state.list.filter(({ stage }) => stage.at === 'sending').length;
    const now = this.#ports.now();
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
    const watch: SendWatch = {
      signal: this.#stopOf(key).signal,
      onProgress: (done, step) => this.#stage(key, { at: 'sending', step, done }),
    };
    const stage = await this.#ports.send(submission.file, options, watch).then(
      (job): Stage => ({ at: 'accepted', job }),
      (error: unknown) => this.#afterFailure(key, error),
    );
    this.#stage(key, stage);
    this.#pump();
  }

  /**
   * A service that is busy is waited for however long it takes, one that is away or names a time to
   * come back for some rounds; other refusals are the user's to read.
   */
  #afterFailure(key: number, error: unknown): Stage {
    const waits = this.#waits.get(key) ?? 0;
    const refusal = error instanceof SendError ? error.refusal : error instanceof RequestError ? error : null;
    const after = refusal?.retryAfter ?? null;
    const busy = refusal?.status === 429;
    const away = refusal !== null && (refusal.status === 503 || after !== null) && waits < MOST_WAITS;
    if (!busy && !away) {
      const message = error instanceof Error ? error.message : 'The file could not be sent.';
      return { at: 'refused', message, requestId: refusal?.requestId ?? null, final: false };
    }
    this.#waits.set(key, waits + 1);
    const seconds = after ?? 5;
    this.#ports.after(seconds * 1000 + 50, () => this.#pump());
    return { at: 'waiting', reason: refusal.message, until: this.#ports.now() + seconds * 1000 };
  }

  #stopOf(key: number): AbortController {
    const stop = this.#stops.get(key) ?? new AbortController();
    this.#stops.set(key, stop);
    return stop;
  }

  #stage(key: number, stage: Stage): void {
    this.#update(key, (submission) => ({ ...submission, stage }));
  }

  #update(key: number, change: (submission: Submission) => Submission): void {
    this.#set(this.#state.list.map((submission) => (submission.key === key ? change(submission) : submission)));
  }

  #set(list: readonly Submission[], leftOut = this.#state.leftOut): void {
    this.#state = { list, leftOut };
    for (const watcher of this.#watchers) watcher();
  }
}
