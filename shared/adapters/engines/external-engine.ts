import {
  type DerivedOutput,
  type DetectionEngine,
  EngineFailure,
  type EngineInput,
  type EngineOutput,
  type EngineRun,
  NothingRead,
  type ReadyRules,
} from '@svc/application/ports/detection-engine.ts';
import type { EngineCommand, EngineLeft, EngineRunner } from '@svc/application/ports/engine-runner.ts';
import { type EngineProgram, type ExternalEngine, knownEngines, type LogType } from '@svc/domain';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { engineFacts, suffixOf } from './commands.ts';
import { inputOf, type OpenedLog } from './engine-input.ts';
import { isThere } from './is-there.ts';
import type { RuleBundles } from './rule-bundles.ts';

export interface ExternalEngineParts {
  readonly runner: EngineRunner;
  readonly bundles: RuleBundles;
  /** Reads the results of an engine as a log of its own, which derives what the built-in engine derives. */
  readonly results: Pick<DetectionEngine, 'run'>;
  readonly scratch: { createFolder(): Promise<string> };
  /** What relative paths of workflows begin at. */
  readonly base: string;
  /** Bytes of a compressed log, unpacked. */
  readonly maxUnpackedBytes: number;
}

/** A conversion of rules takes a while, whatever the task’s own limit. */
const conversionSeconds = 600;

/** An engine that is a program of others: its command line, its rules, and what it left as findings. */
export class ExternalDetectionEngine implements DetectionEngine {
  readonly name: ExternalEngine;
  readonly isBuiltIn = false;
  readonly supportedTypes: ReadonlySet<LogType>;
  readonly usesRulePacks = true;
  readonly #program: EngineProgram | null;
  readonly #parts: ExternalEngineParts;

  /** @param program where it is; null for where the runner looks. */
  constructor(name: ExternalEngine, program: EngineProgram | null, parts: ExternalEngineParts) {
    this.name = name;
    this.supportedTypes = new Set(knownEngines[name]);
    this.#program = program;
    this.#parts = parts;
  }

  async run(input: EngineInput, run: EngineRun): Promise<EngineOutput> {
    const { runner, scratch, maxUnpackedBytes } = this.#parts;
    const folder = await scratch.createFolder();
    try {
      const log = await inputOf(this.name, input, { folder, maxUnpackedBytes });
      const own = await this.#rulesPaths(input);
      const rules = own.length > 0 ? own : await this.#bundle(input, run.signal);
      const command = await this.#commandOf(input, log, rules);
      const found = await runner.run(command, run.signal, (left) => this.#read(left, command, own, input, run));
      run.onProgress(input.sizeBytes);
      return found;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #commandOf(
    { task, logType }: EngineInput,
    { path, isArray }: OpenedLog,
    rules: readonly string[],
  ): Promise<EngineCommand> {
    const { args, imageHome, output, prints, startsIn } = engineFacts[this.name];
    return {
      engine: this.name,
      program: this.#program,
      imageHome,
      input: path,
      inputName: `log${suffixOf(logType)}`,
      rules,
      config: await this.#config(task),
      mounts: task.containerOptions,
      startsIn,
      args: (places) => [...args(places, { task, logType, isArray }), ...task.extraArgs],
      printsTo: prints ? output : null,
      timeout: task.timeout,
    };
  }

  /** What the engine left, as the output of an engine of ours. */
  async #read(
    { folder, exitCode, isContainer, log }: EngineLeft,
    { engine }: EngineCommand,
    paths: readonly string[],
    { rules: packs, path: _log, ...input }: EngineInput,
    { signal }: EngineRun,
  ): Promise<EngineOutput> {
    const path = join(folder, engineFacts[engine].output);
    const sizeBytes = await stat(path).then(
      ({ size }) => size,
      () => null,
    );
    // A program's exit code counts, of a container only where it has left nothing (resolved-platform 2.5).
    const isFailure = exitCode !== 0 && (!isContainer || (sizeBytes ?? 0) === 0);
    if (isFailure) throw new EngineFailure(`${engine} ended with exit code ${exitCode}`, { log });
    const rules = await this.#parts.bundles.lookup(paths, packs);
    if (sizeBytes === null || (await isNothing(path, sizeBytes))) return nothing(rules, log);
    const results = { ...input, path, sizeBytes, logType: 'detection_results' as const, rules };
    try {
      const { engine: _same, ...found } = await this.#parts.results.run(results, {
        signal,
        onProgress: () => undefined,
      });
      return {
        ...found,
        ruleSet: rules.ruleSet,
        derived: found.derived && withoutCensus(found.derived),
        // It says which records matched, not how many it has read.
        events: null,
        log,
      };
    } catch (error) {
      if (!(error instanceof NothingRead)) throw error;
      throw new EngineFailure(`What ${engine} wrote cannot be read: ${error.message}`, { cause: error, log });
    }
  }

  /** The rule folders and files of the task; none where it names none. */
  async #rulesPaths({ task }: EngineInput): Promise<string[]> {
    const paths = task.rulesPaths.map((path) => resolve(this.#parts.base, path));
    for (const path of paths) {
      if (!(await isThere(path))) throw new EngineFailure(`rules_path ${path} is not on this machine`);
    }
    const { takesSeveralRules } = engineFacts[this.name];
    if (paths.length > 1 && !takesSeveralRules)
      throw new EngineFailure(`${this.name} takes one rules_path, not several`);
    return paths;
  }

  /** The task's packs in the form that the engine reads; nothing for one that has only rules of its own form. */
  async #bundle({ rules: packs, logType }: EngineInput, signal: AbortSignal): Promise<readonly string[]> {
    const { bundles } = this.#parts;
    // Its rules are another dialect, which its release brings along.
    if (this.name === 'evtx-timeline') return [];
    if (packs === null) throw new EngineFailure(`${this.name} was given no rules`);
    const product = linuxTypes.has(logType) ? ('linux' as const) : ('windows' as const);
    if (this.name !== 'sigma-multi') return [await bundles.tree(packs, { product })];
    if (product === 'linux') return [await this.#convert(packs, await bundles.tree(packs, { product }), [], signal)];
    // One conversion means Sysmon's events or Windows' own; both are wanted.
    const [all, processes] = await Promise.all([
      bundles.tree(packs, { product }),
      bundles.tree(packs, { product, category: 'process_creation' }),
    ]);
    const sysmon = await this.#convert(packs, all, ['sysmon', 'windows-logsources'], signal);
    const audit = await this.#convert(packs, processes, ['windows-audit', 'windows-logsources'], signal);
    return [sysmon, audit];
  }

  /** Has Zircolite convert Sigma rules by itself, once for the same rules. */
  #convert(packs: ReadyRules, tree: string, pipelines: readonly string[], signal: AbortSignal): Promise<string> {
    const { bundles, runner, scratch } = this.#parts;
    const name = `${['sigma', ...pipelines].join('-')}.json`;
    return bundles.converted(packs, name, async (path) => {
      const folder = await scratch.createFolder();
      const input = join(folder, 'none.json');
      try {
        await writeFile(input, '{"EventID": 0}\n');
        const command: EngineCommand = {
          engine: this.name,
          program: this.#program,
          imageHome: engineFacts[this.name].imageHome,
          input,
          inputName: 'none.json',
          rules: [tree],
          config: null,
          mounts: [],
          startsIn: 'output',
          args: (places) => [
            '-e',
            places.input,
            '-j',
            '-r',
            places.rules[0]!,
            '-sr',
            ...(pipelines.length === 0 ? [] : ['-p', ...pipelines]),
            '-o',
            `${places.output}/none.json`,
            '-c',
            `${places.home}/config/config.yaml`,
            '-q',
            '-l',
            `${places.output}/zircolite.log`,
            '--no-auto-mode',
            '--no-parallel',
          ],
          printsTo: null,
          timeout: conversionSeconds,
        };
        await runner.run(command, signal, async (left) => {
          const made = (await readdir(left.folder)).find((file) => file.startsWith('ruleset-'));
          if (made === undefined) {
            throw new EngineFailure(`${this.name} could not convert the rules of the packs`, { log: left.log });
          }
          await mkdir(dirname(path), { recursive: true });
          await rename(join(left.folder, made), path);
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** `options.config`, a file beside the rules. */
  async #config({ options, rulesPaths }: EngineInput['task']): Promise<string | null> {
    const { config } = options;
    if (typeof config !== 'string') return null;
    const { base } = this.#parts;
    const path = resolve(rulesPaths[0] === undefined ? base : dirname(resolve(base, rulesPaths[0])), config);
    if (!(await isThere(path))) throw new EngineFailure(`options.config ${path} is not on this machine`);
    return path;
  }
}

const linuxTypes: ReadonlySet<LogType> = new Set(['auditd', 'sysmon_linux', 'journald', 'syslog']);

/** Whether an engine says that it has found nothing. */
async function isNothing(path: string, sizeBytes: number): Promise<boolean> {
  if (sizeBytes > 64) return false;
  const file = await open(path);
  try {
    const text = (await file.readFile('utf8')).replaceAll(/\s/g, '');
    return ['', 'null', '[]'].includes(text);
  } finally {
    await file.close();
  }
}

/** What is in the results is not what is in the log. */
function withoutCensus({ census: _ofMatches, ...derived }: DerivedOutput): DerivedOutput {
  return derived;
}

function nothing({ ruleSet }: ReadyRules, log: string): EngineOutput {
  return { findings: [], derived: null, raw: null, events: null, warnings: [], ruleSet, log };
}
