import type { Log } from '@svc/application/ports/log.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerAddress } from './address.ts';
import { endLeftOver, removeLock } from './left-over.ts';
import { program, programEnvironment, type Programs } from './programs.ts';

/** After this it is told to end at once: what was committed is in its log. */
const patienceMs = 3000;
const [firstRetryMs, longestRetryMs] = [100, 5000];
/** Processes of a server that was killed need a moment to notice. */
const predecessorMs = 30_000;
const predecessor = /shared memory block|lock file .* (?:already exists|is empty)/;
/** One that is being started has written its number by then; an empty file is what a crash has left. */
const [emptyLock, emptyMs] = [/lock file .* is empty/, 2000];
const kept = 10;

/** Small, since it lives beside analyses on machines of people; nothing here trades safety for speed. */
const settings = [
  'shared_buffers=32MB',
  // Taken only when what an index finds among a million jobs needs it.
  'work_mem=16MB',
  'max_connections=60',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_logical_replication_workers=0',
  'max_wal_size=256MB',
  'min_wal_size=32MB',
  'huge_pages=off',
  'log_checkpoints=off',
  'log_min_messages=log',
  'log_line_prefix=',
  'lc_messages=C',
];

/** Without processes of its own for reading; versions before 18 never had any. */
const settingsSince18 = ['io_method=sync'];

/** PostgreSQL as a child of this process: started, kept running, and stopped with it. */
export class OwnServer {
  readonly #programs: Programs;
  readonly #cluster: string;
  readonly #address: ServerAddress;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  /** What it said last. */
  readonly #said: string[] = [];
  #child: ChildProcess | null = null;
  #restarting: Promise<void> | null = null;

  constructor(programs: Programs, cluster: string, address: ServerAddress, log: Log) {
    this.#programs = programs;
    this.#cluster = cluster;
    this.#address = address;
    this.#log = log;
  }

  /** Resolves when it takes connections; rejects with what it said where it does not come up. */
  async start(): Promise<void> {
    for (const begun = performance.now(); ; await sleep(firstRetryMs)) {
      // Each time: one that was being started when its owner was killed writes its number only later.
      await endLeftOver(this.#programs, this.#cluster);
      try {
        await this.#launch();
        return;
      } catch (error) {
        const waited = performance.now() - begun;
        if (!predecessor.test(String(error)) || waited > predecessorMs) throw error;
        if (emptyLock.test(String(error)) && waited > emptyMs) await removeLock(this.#cluster);
      }
    }
  }

  /** Ends it as soon as what it has begun to write is written. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child !== null && isRunning(child)) {
      const ended = once(child, 'exit');
      const hurry = setTimeout(() => child.kill('SIGQUIT'), patienceMs);
      await this.#tellToStop(child);
      await ended;
      clearTimeout(hurry);
    }
    await this.#restarting;
  }

  async #launch(): Promise<void> {
    const { host, port, password } = this.#address;
    const place = password === null ? ['-k', host, '-h', ''] : ['-h', host];
    const all = this.#programs.major < 18 ? settings : [...settings, ...settingsSince18];
    const args = ['-D', this.#cluster, '-p', String(port), ...place, ...all.flatMap((one) => ['-c', one])];
    const child = spawn(program(this.#programs, 'postgres'), args, {
      ...this.#programs.identity,
      cwd: '/',
      env: programEnvironment(),
      // In a group of its own: Ctrl-C is for us, who have jobs to give back first.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    this.#said.length = 0;
    const leave = (): void => void child.kill('SIGINT');
    process.once('exit', leave);
    child.once('close', () => process.off('exit', leave));
    await this.#untilReady(child);
    child.once('close', (code, signal) => {
      if (!this.#stopping.signal.aborted) this.#restarting = this.#restart(signal ?? code);
    });
  }

  #untilReady(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      // Once it is gone and everything that it said was heard.
      child.once('close', (code, signal) => {
        const said = this.#said.filter((line) => /^(FATAL|PANIC|DETAIL|HINT)/.test(line)).join(' ');
        reject(new Error(`The database server of ${this.#cluster} does not start: ${said || (signal ?? code)}`));
      });
      createInterface({ input: child.stderr! }).on('line', (line) => {
        this.#hear(line);
        if (line.includes('ready to accept connections')) resolve();
      });
    });
  }

  #hear(line: string): void {
    this.#said.push(line);
    if (this.#said.length > kept) this.#said.shift();
    if (/^PANIC|was terminated by|^(ERROR|FATAL|WARNING): +could not/.test(line)) {
      this.#log.warn('the database server has trouble', { said: line });
    } else {
      this.#log.debug('the database server says', { said: line });
    }
  }

  /** Tries until it is up or no longer wanted; meanwhile queries are answered with `unavailable`. */
  async #restart(end: number | string | null): Promise<void> {
    this.#log.error('the database server has ended and is started again', { end, said: this.#said.at(-1) });
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(2 * waitMs, longestRetryMs)) {
      await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      try {
        await this.#launch();
        this.#log.info('the database server is back');
        return;
      } catch (error) {
        this.#log.error('the database server does not come back yet', { error });
      }
    }
  }

  async #tellToStop(child: ChildProcess): Promise<void> {
    if (process.platform === 'win32') await endLeftOver(this.#programs, this.#cluster);
    else child.kill('SIGINT');
  }
}

function isRunning({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}
