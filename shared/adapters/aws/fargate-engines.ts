import { EngineFailure, EngineUnavailable } from '@svc/application/ports/detection-engine.ts';
import type { EngineCommand, EngineLeft, EngineRunner } from '@svc/application/ports/engine-runner.ts';
import type { Log } from '@svc/application/ports/log.ts';
import type { ExternalEngine } from '@svc/domain';
import {
  DescribeTasksCommand,
  ECSClient,
  paginateListTasks,
  RunTaskCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import type { S3Client } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientDefaults } from './client-defaults.ts';
import { EngineExchange, renewSeconds, type EngineOrder, type EngineResult } from './engine-exchange.ts';
import { networkOf } from './fargate-network.ts';
import type { FargateOptions } from './fargate-workers.ts';
import { s3Client } from './s3-client.ts';
import type { S3Settings } from './s3-settings.ts';

/** An engine that has an image in this deployment. */
export interface DeployedEngine {
  /** Of task definitions, of which the newest is run. */
  readonly family: string;
  /** Tasks at once, of all workers together. */
  readonly most: number;
}

export interface FargateEnginesOptions extends Omit<FargateOptions, 'taskDefinition'> {
  readonly engines: ReadonlyMap<ExternalEngine, DeployedEngine>;
  readonly bucket: string;
  /** Where outputs are brought to on this machine. */
  readonly folder: string;
  /** Bytes that an engine may leave, and those of its log that are kept. */
  readonly maxOutputBytes: number;
  readonly maxLogBytes: number;
  /** Where the images have their volume. @default /work */
  readonly volume?: string;
  /** Milliseconds between two looks at a task. @default 5 s */
  readonly lookMs?: number;
  /** Milliseconds after which what ECS has no room for is asked for again. @default 15 s */
  readonly waitMs?: number;
  /** Milliseconds in which a machine must have come. @default 15 minutes */
  readonly patienceMs?: number;
}

/** The container of the definitions, and the variable by which its entry gets its order (containers/tools/entry). */
export const engineContainer = 'engine';
const orderVariable = 'SVC_ENGINE_ORDER';
/** What ECS says when it is asked for too much, or has no machine: it may have one in a moment. */
const isForNow = /throttl|capacity|limit|rate exceeded|RESOURCE:|service unavailable|server exception/i;

/**
 * Runs engines as tasks of ECS on Fargate, one for each run, which reach nothing but the objects of their run
 * (decision 133). Only for tasks that do not say themselves where the engine is.
 */
export class FargateEngines implements Pick<EngineRunner, 'run'> {
  readonly #ecs: ECSClient;
  readonly #s3: S3Client;
  readonly #options: Required<FargateEnginesOptions>;
  readonly #log: Log;

  constructor(clients: { readonly ecs: ECSClient; readonly s3: S3Client }, options: FargateEnginesOptions, log: Log) {
    this.#ecs = clients.ecs;
    this.#s3 = clients.s3;
    this.#options = { volume: '/work', lookMs: 5000, waitMs: 15_000, patienceMs: 900_000, ...options };
    this.#log = log;
  }

  async run<T>(command: EngineCommand, signal: AbortSignal, read: (left: EngineLeft) => Promise<T>): Promise<T> {
    const { engine } = command;
    const deployed = this.#options.engines.get(engine);
    if (!deployed) throw new EngineUnavailable(`${engine} has no image in this deployment`);
    const exchange = new EngineExchange(this.#s3, this.#options.bucket, randomUUID());
    await mkdir(this.#options.folder, { recursive: true });
    const folder = await mkdtemp(join(this.#options.folder, 'engine-'));
    try {
      const order = await this.#leave(command, exchange, signal);
      const result = await this.#carriedOut(engine, deployed, { exchange, order }, signal);
      const { exit_code: exitCode, log } = this.#ended(engine, order, result);
      await exchange.fetchOutput(folder, order.maxOutputBytes, signal);
      return await read({ folder, exitCode, isContainer: true, log });
    } catch (error) {
      // Waits that it broke off fail in words of their own.
      signal.throwIfAborted();
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
      await exchange
        .remove()
        .catch((error: unknown) => this.#log.warn('objects of an engine’s run stay for a day', { engine, error }));
    }
  }

  /** Ends its connections. */
  close(): void {
    this.#ecs.destroy();
    this.#s3.destroy();
  }

  /** Leaves what the engine reads; the order says where it will be. */
  async #leave(command: EngineCommand, exchange: EngineExchange, signal: AbortSignal): Promise<EngineOrder> {
    const { volume } = this.#options;
    const place = async (source: string, ...where: string[]): Promise<string> => {
      signal.throwIfAborted();
      const path = posix.join(volume, ...where);
      await exchange.leave(source, path);
      return path;
    };
    const input = await place(command.input, 'input', command.inputName);
    const rules: string[] = [];
    for (const [at, path] of command.rules.entries()) {
      rules.push(await place(path, 'rules', String(at), basename(path)));
    }
    const config = command.config === null ? null : await place(command.config, 'config', basename(command.config));
    const output = posix.join(volume, 'output');
    return {
      folder: volume,
      args: command.args({ home: command.imageHome, input, rules, config, output }),
      startsIn: command.startsIn === 'output' ? output : null,
      output,
      printsTo: command.printsTo,
      seconds: command.timeout,
      maxOutputBytes: this.#options.maxOutputBytes,
      maxLogBytes: this.#options.maxLogBytes,
    };
  }

  /** Starts a task and waits for its end; whatever ends that ends the task. */
  async #carriedOut(
    engine: ExternalEngine,
    deployed: DeployedEngine,
    run: { readonly exchange: EngineExchange; readonly order: EngineOrder },
    signal: AbortSignal,
  ): Promise<EngineResult> {
    const arn = await this.#start(engine, deployed, run, signal);
    let isStopped = false;
    try {
      const task = await this.#stopped(engine, arn, run, signal);
      isStopped = true;
      const result = await run.exchange.result();
      if (result === null) throw failureOf(engine, task);
      return result;
    } finally {
      if (!isStopped) await this.#stop(engine, arn);
    }
  }

  /** As soon as fewer than may run are running, and AWS has a machine; the ARN of the task. */
  async #start(
    engine: ExternalEngine,
    { family, most }: DeployedEngine,
    { exchange, order }: { readonly exchange: EngineExchange; readonly order: EngineOrder },
    signal: AbortSignal,
  ): Promise<string> {
    let lackingSince: number | null = null;
    for (; ; await sleep(this.#options.waitMs, undefined, { signal })) {
      signal.throwIfAborted();
      const answer = await this.#tryToStart(family, most, () => exchange.order(order));
      if ('arn' in answer) return answer.arn;
      // Others' runs end; what AWS lacks it may lack for hours.
      if (answer.lacking === null) lackingSince = null;
      else if (Date.now() - (lackingSince ??= Date.now()) >= this.#options.patienceMs) {
        throw new EngineFailure(`AWS has no machine for ${engine}: ${answer.lacking}`);
      }
    }
  }

  async #tryToStart(
    family: string,
    most: number,
    link: () => Promise<string>,
  ): Promise<{ readonly arn: string } | { readonly lacking: string | null }> {
    const { cluster } = this.#options;
    try {
      let running = 0;
      const pages = paginateListTasks({ client: this.#ecs }, { cluster, family, desiredStatus: 'RUNNING' });
      for await (const { taskArns = [] } of pages) running += taskArns.length;
      if (running >= most) return { lacking: null };
      const { tasks = [], failures = [] } = await this.#ecs.send(
        new RunTaskCommand({
          cluster,
          taskDefinition: family,
          launchType: 'FARGATE',
          clientToken: randomUUID(),
          startedBy: 'run-engine',
          enableECSManagedTags: true,
          propagateTags: 'TASK_DEFINITION',
          networkConfiguration: networkOf(this.#options),
          overrides: {
            containerOverrides: [
              { name: engineContainer, environment: [{ name: orderVariable, value: await link() }] },
            ],
          },
        }),
      );
      const arn = tasks[0]?.taskArn;
      if (arn !== undefined) return { arn };
      throw new Error([failures[0]?.reason, failures[0]?.detail].filter(Boolean).join(': ') || 'no task');
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (isForNow.test(said)) return { lacking: said.replace(/^Error: /, '') };
      throw new EngineFailure(`ECS does not run ${family}: ${said.replace(/^Error: /, '')}`, { cause: error });
    }
  }

  /** Renews the order until the task has stopped. A look that fails is no end: the next one tells. */
  async #stopped(
    engine: ExternalEngine,
    arn: string,
    { exchange, order }: { readonly exchange: EngineExchange; readonly order: EngineOrder },
    signal: AbortSignal,
  ): Promise<Task> {
    const { cluster, lookMs, patienceMs } = this.#options;
    const startedAt = Date.now();
    let renewedAt = startedAt;
    let failures = 0;
    for (;;) {
      await sleep(lookMs, undefined, { signal });
      try {
        const asked = new DescribeTasksCommand({ cluster, tasks: [arn] });
        const [task] = (await this.#ecs.send(asked, { abortSignal: signal })).tasks ?? [];
        // ECS forgets a task an hour after its end.
        if (task?.lastStatus === 'STOPPED') return task;
        if (task && task.lastStatus !== 'RUNNING' && task.startedAt === undefined) {
          if (Date.now() - startedAt >= patienceMs)
            throw new EngineFailure(`The machine for ${engine} did not come up`);
        }
        // It ends itself before that.
        if (Date.now() - startedAt >= 2 * patienceMs + order.seconds * 1000) {
          throw new EngineFailure(`The task of ${engine} does not come to its end`);
        }
        if (Date.now() - renewedAt >= renewSeconds * 1000) {
          await exchange.order(order);
          renewedAt = Date.now();
        }
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        failures += 1;
        if (error instanceof EngineFailure || failures * lookMs >= patienceMs) throw error;
        this.#log.warn('an engine’s task could not be looked at', { engine, error });
      }
    }
  }

  /** It would end by itself when nobody renews its order. */
  async #stop(engine: ExternalEngine, task: string): Promise<void> {
    const { cluster } = this.#options;
    await this.#ecs
      .send(new StopTaskCommand({ cluster, task, reason: 'nobody waits for it any more' }))
      .catch((error: unknown) => this.#log.warn('an engine’s task could not be stopped', { engine, task, error }));
  }

  /** What is left to read; throws what ended the run instead. */
  #ended(engine: ExternalEngine, { seconds, maxOutputBytes }: EngineOrder, result: EngineResult): EngineResult {
    const { end, log, message } = result;
    if (end === 'exit') return result;
    const sentences = {
      time: `${engine} did not finish within its limit of ${seconds} s`,
      output: `${engine} put out more than ${Math.floor(maxOutputBytes / 1_048_576)} MB`,
      input: `${engine} did not get its files: ${message}`,
      start: `${engine} could not be started: ${message}`,
    };
    throw new EngineFailure(sentences[end], { log });
  }
}

/** Why a task left no result. */
function failureOf(engine: ExternalEngine, { stoppedReason = 'it stopped', containers }: Task): EngineFailure {
  const [{ exitCode, reason } = {}] = containers ?? [];
  const said = [stoppedReason, reason].filter(Boolean).join(': ');
  if (/OutOfMemory/.test(said) || exitCode === 137) {
    return new EngineFailure(`${engine} ran out of the memory that its task has (${said})`);
  }
  if (/CannotPull|pull image|ImageNotFound/i.test(said)) {
    return new EngineUnavailable(`The image of ${engine} cannot be fetched: ${said}`);
  }
  return new EngineFailure(
    `The task of ${engine} left no result: ${said}${exitCode === undefined ? '' : `, exit code ${exitCode}`}`,
  );
}

/** With clients of its own, configured by the AWS SDK's environment. */
export function openFargateEngines(settings: S3Settings, options: FargateEnginesOptions, log: Log): FargateEngines {
  return new FargateEngines({ ecs: new ECSClient(clientDefaults()), s3: s3Client(settings, true) }, options, log);
}
