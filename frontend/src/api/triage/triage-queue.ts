import type { TriagePlan } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import type { LocalReport, TriageProgress, TriageRequest } from './messages.ts';
import { TriageFailure, type TriageWatch } from './run-triage.ts';

/** Analyses at a time: each takes a processor and some hundred MB. */
const mostAtOnce = 2;

/** Where an analysis in this browser is. */
export type TriageStage =
  | { readonly at: 'waiting' }
  | { readonly at: 'running'; readonly progress: TriageProgress | null }
  | { readonly at: 'cancelled' }
  | { readonly at: 'failed'; readonly error: unknown }
  | { readonly at: 'done'; readonly report: LocalReport; readonly plan: TriagePlan };

/** A file to analyse here, under the number that it has among those to submit. */
export interface TriageFile {
  readonly key: number;
  readonly file: File;
  readonly logType: LogType | null;
  /** Chosen; null for the one that fits the type. */
  readonly workflowId: number | null;
}

export interface Triage extends TriageFile {
  readonly stage: TriageStage;
}

/** What analyses need from outside. */
export interface TriagePorts {
  detect(file: File): Promise<LogType>;
  /** What to analyse with; the usual workflow of the type where none is chosen. */
  plan(workflowId: number | null, logType: LogType): Promise<TriagePlan>;
  run(request: TriageRequest, watch: TriageWatch): Promise<LocalReport>;
}

/** The files that are analysed in this window, two at a time, in the order they came. */
export class TriageQueue {
  readonly #ports: TriagePorts;
  readonly #watchers = new Set<() => void>();
  readonly #stops = new Map<number, AbortController>();
  #list: readonly Triage[] = [];

  constructor(ports: TriagePorts) {
    this.#ports = ports;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly list = (): readonly Triage[] => this.#list;

  /** Puts files in line; one that was analysed before is analysed anew. */
  add(files: readonly TriageFile[]): void {
    for (const { key } of files) this.#stop(key);
    const keys = new Set(files.map(({ key }) => key));
    const added = files.map((file): Triage => ({ ...file, stage: { at: 'waiting' } }));
    this.#set([...this.#list.filter(({ key }) => !keys.has(key)), ...added]);
    this.#pump();
  }

  /** Stops an analysis; what it had found is gone. */
  cancel(key: number): void {
    this.#stop(key);
    this.#stage(key, { at: 'cancelled' });
    this.#pump();
  }

  /** Takes a file out with its report. */
  remove(key: number): void {
    this.#stop(key);
    this.#set(this.#list.filter((triage) => triage.key !== key));
    this.#pump();
  }

  #stop(key: number): void {
    this.#stops.get(key)?.abort(new DOMException('Cancelled', 'AbortError'));
    this.#stops.delete(key);
  }

  #pump(): void {
    let free = mostAtOnce - this.#list.filter(({ stage }) => stage.at === 'running').length;
    for (const triage of this.#list) {
      if (free <= 0) return;
      if (triage.stage.at !== 'waiting') continue;
      free -= 1;
      void this.#run(triage);
    }
  }

  async #run(triage: Triage): Promise<void> {
    const { key } = triage;
    const stop = new AbortController();
    this.#stops.set(key, stop);
    this.#stage(key, { at: 'running', progress: null });
    const stage = await this.#analyzed(triage, stop.signal).catch((error: unknown): TriageStage => {
      return { at: 'failed', error };
    });
    // Another run, or none, stands in its place.
    if (stop.signal.aborted) return;
    this.#stops.delete(key);
    this.#stage(key, stage);
    this.#pump();
  }

  async #analyzed({ key, file, logType: known, workflowId }: Triage, signal: AbortSignal): Promise<TriageStage> {
    const logType = known ?? (await this.#ports.detect(file));
    const plan = await this.#ports.plan(workflowId, logType);
    signal.throwIfAborted();
    const onProgress = (progress: TriageProgress): void => {
      if (!signal.aborted) this.#stage(key, { at: 'running', progress });
    };
    const report = await this.#ports.run({ file, logType, plan }, { signal, onProgress });
    return { at: 'done', report, plan };
  }

  #stage(key: number, stage: TriageStage): void {
    this.#set(this.#list.map((triage) => (triage.key === key ? { ...triage, stage } : triage)));
  }

  #set(list: readonly Triage[]): void {
    this.#list = list;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Whether an analysis failed for what is in the file, so that to try again is no use. */
export function isFinal(error: unknown): boolean {
  return error instanceof TriageFailure;
}
