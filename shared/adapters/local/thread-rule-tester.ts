import { RulePackRefused } from '@svc/application/ports/rule-compiler.ts';
import {
  LogNotRead,
  LogTooLarge,
  type RuleTest,
  type RuleTester,
  type TestedLog,
  type TestedRules,
} from '@svc/application/ports/rule-tester.ts';
import { AppError } from '@svc/domain';
import type { TriedLog } from '@svc/engine';
import { Worker } from 'node:worker_threads';
import type { RulesThreadData } from './rules-messages.ts';
import { threadEntry } from './thread-entry.ts';
import type { TrialReply, TrialRequest } from './trial-messages.ts';

export interface ThreadRuleTesterOptions {
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile?: string | undefined;
  /** Of a whole test. @default 20 s; a function has 29 to answer in */
  readonly timeoutMs?: number;
  /** @default 512 MiB */
  readonly memoryMb?: number;
}

/** Tests under way in one process; each may take a core. */
const mostAtOnce = 2;

/** Tests rules in a thread that is started for each test, and ended when its time or memory is used up. */
export class ThreadRuleTester implements RuleTester {
  readonly #data: RulesThreadData;
  readonly #timeoutMs: number;
  readonly #memoryMb: number;
  #running = 0;

  constructor({ placeholdersFile, timeoutMs = 20_000, memoryMb = 512 }: ThreadRuleTesterOptions) {
    this.#data = { placeholdersFile };
    this.#timeoutMs = timeoutMs;
    this.#memoryMb = memoryMb;
  }

  async begin(source: string): Promise<RuleTest> {
    if (this.#running >= mostAtOnce) {
      throw new AppError('busy', 'Other rules are being tested; try again in half a minute');
    }
    this.#running++;
    try {
      const thread = await this.#start();
      const end = async (): Promise<void> => {
        if (thread.isEnded) return;
        this.#running--;
        await thread.end();
      };
      return { compiled: await compiled(thread, source), run: (log, samples) => run(thread, log, samples), end };
    } catch (error) {
      this.#running--;
      throw error;
    }
  }

  async #start(): Promise<TrialThread> {
    const resourceLimits = { maxOldGenerationSizeMb: this.#memoryMb };
    const options = { workerData: this.#data, resourceLimits };
    return new TrialThread(new Worker(await threadEntry('trial-thread'), options), this.#timeoutMs);
  }
}

/** The rules, compiled in the thread, which ends when they cannot be. */
async function compiled(thread: TrialThread, source: string): Promise<TestedRules> {
  try {
    const reply = await thread.ask({ compile: source });
    if (reply === null) throw new RulePackRefused('The rule takes too much time or memory to compile');
    return compiledOf(reply);
  } catch (error) {
    await thread.end();
    throw error;
  }
}

async function run(thread: TrialThread, log: TestedLog, samples: number): Promise<TriedLog | null> {
  const reply = await thread.ask({ log, samples });
  if (reply === null) return null;
  if ('tooLarge' in reply) throw new LogTooLarge('The log is larger than what is tested');
  if ('unread' in reply) throw new LogNotRead(reply.unread);
  if ('tried' in reply) return reply.tried;
  throw new Error('failure' in reply ? reply.failure : 'The thread that tests rules gave another answer');
}

function compiledOf(reply: TrialReply): TestedRules {
  if ('compiled' in reply) return reply.compiled;
  throw new Error('failure' in reply ? reply.failure : 'The thread that tests rules gave another answer');
}

/** A thread that answers one request after another until its time is up. */
class TrialThread {
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #settle: ((reply: TrialReply | null) => void) | null = null;
  #isSpent = false;
  isEnded = false;

  constructor(worker: Worker, timeoutMs: number) {
    this.#worker = worker;
    this.#timer = setTimeout(() => this.#spend(), timeoutMs);
    worker.on('message', (reply: TrialReply) => this.#answer(reply));
    // Out of memory, or crashed over a rule: nothing more is to be had of it.
    worker.on('error', () => this.#spend());
    worker.on('exit', () => this.#spend());
  }

  /** Null once the thread has used up what it may take. */
  ask(request: TrialRequest): Promise<TrialReply | null> {
    if (this.#isSpent) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#settle = resolve;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    this.isEnded = true;
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #answer(reply: TrialReply | null): void {
    this.#settle?.(reply);
    this.#settle = null;
  }

  #spend(): void {
    this.#isSpent = true;
    this.#answer(null);
    void this.#worker.terminate();
  }
}
