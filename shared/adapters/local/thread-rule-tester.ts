import { RulePackRefused } from '@svc/application/ports/rule-compiler.ts';
import {
  LogNotRead,
  LogTooLarge,
  type ReadLog,
  type RuleTest,
  type RuleTester,
  type TestedLog,
  type TestedRules,
} from '@svc/application/ports/rule-tester.ts';
import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import { AppError } from '@svc/domain';
import type { Explanation, TriedLog } from '@svc/engine';
import { AskedThread, ThreadFailure } from '../machine/asked-thread.ts';
import type { RulesThreadData } from './rules-thread.ts';
import type { TrialThread } from './trial-thread.ts';

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
    return this.#begin(source, this.#timeoutMs, () => this.#running--);
  }

  beginAside(source: string, timeoutMs: number): Promise<RuleTest> {
    return this.#begin(source, timeoutMs, () => undefined);
  }

  async #begin(source: string, timeoutMs: number, onEnd: () => void): Promise<RuleTest> {
    try {
      const options = { data: this.#data, memoryMb: this.#memoryMb, timeoutMs };
      const thread = await AskedThread.start<TrialThread>('trial-thread', options);
      let isEnded = false;
      const end = async (): Promise<void> => {
        if (isEnded) return;
        isEnded = true;
        onEnd();
        await thread.end();
      };
      return {
        compiled: await compiled(thread, source),
        run: (log, samples) => run(thread, log, samples),
        explain: (event) => explain(thread, event),
        matches: (log) => matches(thread, log),
        end,
      };
    } catch (error) {
      onEnd();
      throw error;
    }
  }
}

/** The rules, compiled in the thread, which ends when they cannot be. */
async function compiled(thread: AskedThread<TrialThread>, source: string): Promise<TestedRules> {
  try {
    const rules = await unlessSpent(thread.ask('compile', source));
    if (rules === null) throw new RulePackRefused('The rule takes too much time or memory to compile');
    return rules;
  } catch (error) {
    await thread.end();
    throw error;
  }
}

async function run(thread: AskedThread<TrialThread>, log: TestedLog, samples: number): Promise<TriedLog | null> {
  const held = await unlessSpent(thread.ask('hold', log, samples));
  if (held === null) return null;
  if ('tooLarge' in held) throw new LogTooLarge('The log is larger than what is tested');
  if ('unread' in held) throw new LogNotRead(held.unread);
  return held.tried;
}

async function explain(thread: AskedThread<TrialThread>, event: StoredEvent): Promise<Explanation | null> {
  const held = await unlessSpent(thread.ask('explain', event));
  if (held === null) return null;
  if ('unread' in held) throw new LogNotRead(held.unread);
  return held.explained;
}

async function* matches(
  thread: AskedThread<TrialThread>,
  { path, logType, onProgress }: ReadLog,
): AsyncGenerator<Uint8Array> {
  await thread.ask('gather', path, logType);
  for (;;) {
    const told = await unlessSpent(thread.ask('next'));
    if (told === null) throw new LogNotRead('Reading the log again took more time or memory than it may');
    if ('unread' in told) throw new LogNotRead(told.unread);
    onProgress(told.bytesDone);
    if (told.lines === null) return;
    yield told.lines;
  }
}

/** Null once the thread has used up its time or memory, or crashed over a rule: nothing more is to be had of it. */
async function unlessSpent<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ThreadFailure) throw error;
    return null;
  }
}
