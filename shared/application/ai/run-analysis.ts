import { setTimeout as sleep } from 'node:timers/promises';
import { OutOfTime, WorkerStopping } from '../work/hold-lease.ts';
import { ModelError, type ModelUsage } from '../ports/model-client.ts';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import type { EndedAiRun } from './ai-run-repository.ts';
import type { AiJournal, BegunAiRun } from './begin-run.ts';
import { restoring } from './pseudonyms/restoring.ts';
import { RunLog } from './run-log.ts';

/** What is written goes out so often, in milliseconds; and so often a silent run shows that it is alive, and hears of a stop. */
const pace = { writeMs: 300, beatMs: 500 } as const;
/** Characters of the answer between two lines of the log. */
const logEvery = 400;
/** How often the end is told where nobody hears it, a second apart and more. */
const endAttempts = 6;

export type AskingPorts = Pick<Ports, 'clock' | 'log' | 'models'>;

/** Somebody has stopped the run. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Asks a model what a run is for, and writes down what it answers as it comes. A run is begun once: whatever happens
 * to whoever does this, nobody does it again. `leave` has it end early, as failed.
 */
export async function runAiAnalysis(
  ports: AskingPorts,
  journal: AiJournal,
  runId: number,
  leave: AbortSignal,
): Promise<void> {
  const begun = await journal.begin(runId);
  if (begun === null) return;
  const startedAt = performance.now();
  const writing = new Writing(ports, journal, { runId, begun });
  const passOn = (): void => writing.stop(leave.reason);
  if (leave.aborted) passOn();
  leave.addEventListener('abort', passOn);
  const how = await writing.ask().finally(() => leave.removeEventListener('abort', passOn));
  const durationMs = Math.round(performance.now() - startedAt);
  await tellEnd(ports, journal, { runId, ended: { ...how, durationMs } });
  ports.log.info('ai run', { run_id: runId, status: how.status, duration_ms: durationMs, reason: how.errorMessage });
}

/** A run that nobody could be told the end of stands as stalled. */
async function tellEnd(
  { log }: AskingPorts,
  journal: AiJournal,
  { runId, ended }: { readonly runId: number; readonly ended: EndedAiRun },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await journal.end(runId, ended);
    } catch (error) {
      if (attempt === endAttempts) throw error;
      log.warn('the end of an ai run could not be noted', { run_id: runId, error });
      await sleep(attempt * 1000);
    }
  }
}

/** One answer on its way from the model to those who keep it. */
class Writing {
  readonly #ports: AskingPorts;
  readonly #journal: AiJournal;
  readonly #runId: number;
  readonly #begun: BegunAiRun;
  readonly #log: RunLog;
  readonly #ending = new AbortController();
  #text = '';
  /** How much of it was told. */
  #told = 0;
  #logged = 0;
  #usage: ModelUsage = {};

  constructor(ports: AskingPorts, journal: AiJournal, of: { readonly runId: number; readonly begun: BegunAiRun }) {
    this.#ports = ports;
    this.#journal = journal;
    this.#runId = of.runId;
    this.#begun = of.begun;
    this.#log = new RunLog(ports.clock, of.begun.mostLogBytes);
  }

  stop(reason: unknown): void {
    this.#ending.abort(reason);
  }

  async ask(): Promise<EndedAiRun> {
    const { request, provider, promptChars, omissions, pseudonyms } = this.#begun;
    const { models } = this.#ports;
    const log = this.#log;
    log.add(
      `Brief: ${promptChars} characters with its instructions. ${omissions.join(' ') || 'Nothing was left out.'}`,
    );
    if (pseudonyms.length > 0) log.add(`${pseudonyms.length} names are sent as tokens`);
    log.add(`Asking ${request.model} of ${provider} (${request.kind}) at ${models.addressOf(request)}`);
    const restorer = restoring(pseudonyms);
    const askedAt = performance.now();
    const since = (): string => `${Math.round(performance.now() - askedAt)} ms`;
    const written = new AbortController();
    const writer = this.#write(written.signal);
    try {
      const { isCut } = await models.ask(request, {
        signal: this.#ending.signal,
        opened: (status) => log.add(`Answered ${status} after ${since()}`),
        text: (delta) => {
          if (this.#text === '') log.add(`First text after ${since()}`);
          this.#add(restorer.push(delta));
        },
        usage: (tokens) => void (this.#usage = { ...this.#usage, ...tokens }),
      });
      this.#add(restorer.flush());
      const { input, output } = this.#usage;
      log.add(
        `Ended after ${since()}: ${this.#text.length} characters, ${input ?? 'unknown'} + ${output ?? 'unknown'} tokens`,
      );
      const note = isCut ? 'The answer ends where the max output tokens of the provider do' : null;
      if (note !== null) log.add(note);
      return this.#ended('completed', note);
    } catch (error) {
      if (error instanceof Stopped) {
        log.add(`Stopped after ${since()}`);
        return this.#ended('cancelled', null);
      }
      this.#add(restorer.flush());
      const reason = reasonOf(error);
      if (reason === null) this.#ports.log.error('an ai run failed', { run_id: this.#runId, error });
      const message = reason ?? `The run failed (${error instanceof Error ? error.name : 'unknown'})`;
      log.add(`Failed after ${since()}: ${message}`);
      return this.#ended('failed', message);
    } finally {
      written.abort();
      await writer;
    }
  }

  #ended(status: EndedAiRun['status'], errorMessage: string | null): EndedAiRun {
    const content = status === 'cancelled' ? '' : storable(this.#text);
    const { input: inputTokens = null, output: outputTokens = null } = this.#usage;
    const at = this.#ports.clock.now();
    return { status, content, errorMessage, log: this.#log.text, inputTokens, outputTokens, durationMs: null, at };
  }

  #add(delta: string): void {
    this.#text += delta;
    if (this.#text.length - this.#logged < logEvery) return;
    this.#logged = this.#text.length;
    this.#log.add(`${this.#text.length} characters so far`);
  }

  /** Tells what was written, and hears whether to go on, until the answer has ended. */
  async #write(ended: AbortSignal): Promise<void> {
    let beatenAt = Number.NEGATIVE_INFINITY;
    while (!ended.aborted) {
      const part = this.#untold();
      const isDue = performance.now() - beatenAt >= pace.beatMs;
      if (part !== null || isDue) {
        beatenAt = performance.now();
        await this.#note(part);
      }
      await sleep(pace.writeMs, undefined, { signal: ended }).catch(() => undefined);
    }
  }

  async #note(part: { readonly start: number; readonly text: string } | null): Promise<void> {
    const log = this.#log.takeUntold();
    try {
      const goesOn = await this.#journal.note(this.#runId, { at: this.#ports.clock.now(), part, log });
      if (part !== null) this.#told = part.start + part.text.length;
      if (!goesOn) this.stop(new Stopped('the run was stopped'));
    } catch (error) {
      // The next one tells it again; the end tells all.
      this.#ports.log.warn('what an ai run has written could not be noted', { run_id: this.#runId, error });
    }
  }

  /** What was not told yet, but for half a character at its end. */
  #untold(): { readonly start: number; readonly text: string } | null {
    const rest = this.#text.slice(this.#told);
    const whole = /[\uD800-\uDBFF]$/.test(rest) ? rest.slice(0, -1) : rest;
    return whole === '' ? null : { start: this.#told, text: storable(whole) };
  }
}

/** As the database keeps it, and of the same length. */
function storable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- NUL is what PostgreSQL refuses
  return text.replaceAll(/[\u0000\p{Surrogate}]/gu, '\uFFFD');
}

/** In the service's words; null for what is none of the provider's doing. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ModelError || error instanceof OutboundError) return error.message;
  if (error instanceof OutOfTime || error instanceof WorkerStopping)
    return 'The worker was stopped while the model answered: start another run';
  return null;
}
