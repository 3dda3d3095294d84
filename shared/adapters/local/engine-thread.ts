import type { EngineInput, EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { NewFinding } from '@svc/application/ports/result-repository.ts';
import {
  type Finding,
  type LoadedRules,
  loadRules,
  type Placeholders,
  readPlaceholders,
  type ReadProblem,
} from '@svc/engine';
import { analyzeFile, readRuleFiles } from '@svc/engine/node';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { EngineReply, EngineRequest, EngineThreadData } from './engine-messages.ts';

// One analysis at a time; the rules that it needed stay loaded for the next.
const { configFolder, placeholdersFile, threads } = workerData as EngineThreadData;
const port = parentPort;
if (!port) throw new Error('engine-thread runs as a worker thread only');

interface Pack {
  readonly version: string;
  readonly rules: LoadedRules;
}

const packs = new Map<string, Promise<Pack>>();
let abort = new AbortController();

port.on('message', (request: EngineRequest) => {
  if ('abort' in request) abort.abort();
  else void handle(request.run);
});

async function handle(input: EngineInput): Promise<void> {
  abort = new AbortController();
  const { signal } = abort;
  try {
    reply({ output: await run(input, signal) });
  } catch (error) {
    reply(signal.aborted ? { aborted: true } : failureOf(error));
  }
}

function failureOf(error: unknown): EngineReply {
  if (!(error instanceof Error)) return { failure: String(error), log: '' };
  return { failure: error.message, log: error.stack ?? '' };
}

async function run(input: EngineInput, signal: AbortSignal): Promise<EngineOutput> {
  const { version, rules } = await packOf(input.rulesPaths);
  signal.throwIfAborted();
  const { findings, events, problems } = await analyzeFile(input.path, {
    rules: rules.rules,
    logType: input.logType,
    maxSamples: input.maxFindingDetails,
    threads,
    signal,
    onProgress: (bytesDone) => reply({ bytesDone }),
  });
  const name = input.rulesPaths.map((path) => basename(path)).join(', ');
  return {
    findings: findings.map(toNewFinding),
    events,
    warnings: problems.map(toWarning),
    ruleSet: { name, version, loaded: rules.loaded, rejected: rules.rejected.length },
    log: logOf(rules),
  };
}

function packOf(paths: readonly string[]): Promise<Pack> {
  const key = JSON.stringify(paths);
  const known = packs.get(key);
  if (known) return known;
  const loading = loadPack(paths.map((path) => resolve(configFolder, path)));
  packs.set(key, loading);
  // What could not be read may be readable next time.
  loading.catch(() => packs.delete(key));
  return loading;
}

/** Without a single rule nothing would be checked, and the report would look clean. */
async function loadPack(paths: readonly string[]): Promise<Pack> {
  const files = await readRuleFiles(paths);
  const placeholders = placeholdersFile === undefined ? '' : await readFile(placeholdersFile, 'utf8');
  const rules = loadRules(files, { placeholders: placeholdersIn(placeholders) });
  if (rules.loaded === 0) throw new Error(`There are no usable rules in ${paths.join(', ') || 'the task'}`);
  const hash = createHash('sha256');
  for (const { text } of files) hash.update(text).update('\0');
  if (placeholders !== '') hash.update(placeholders);
  return { version: hash.digest('hex').slice(0, 12), rules };
}

function placeholdersIn(text: string): Placeholders {
  try {
    return readPlaceholders(text);
  } catch (error) {
    throw new Error(`The placeholders in ${placeholdersFile} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function toNewFinding({ author, first, last, samples, ...finding }: Finding): NewFinding {
  return { ...finding, ruleAuthor: author, firstSeen: first, lastSeen: last, events: samples };
}

function toWarning({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}

/** What administrators may want to know of the rules. */
function logOf({ rejected, warnings }: LoadedRules): string {
  const lines = [
    ...rejected.map(({ path, line, message }) => `rejected ${path}:${line}: ${message}`),
    ...warnings.map(({ path, line, message }) => `warning ${path}:${line}: ${message}`),
  ];
  return lines.join('\n');
}

function reply(message: EngineReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
