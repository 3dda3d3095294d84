import type { EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { NewFinding } from '@svc/application/ports/result-repository.ts';
import { type Finding, type ReadProblem, type RuleSet, unpackRules } from '@svc/engine';
import { analyzeFile } from '@svc/engine/node';
import { parentPort, workerData } from 'node:worker_threads';
import type { EngineReply, EngineRequest, EngineThreadData, ThreadInput } from './engine-messages.ts';

// One analysis at a time; the rules that it needed stay decoded for the next.
const { threads } = workerData as EngineThreadData;
const port = parentPort;
if (!port) throw new Error('engine-thread runs as a worker thread only');

let decoded: { readonly digest: string; readonly rules: RuleSet } | null = null;
let abort = new AbortController();

port.on('message', (request: EngineRequest) => {
  if ('abort' in request) abort.abort();
  else void handle(request.run);
});

async function handle(input: ThreadInput): Promise<void> {
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

async function run({ rules, ...input }: ThreadInput, signal: AbortSignal): Promise<EngineOutput> {
  if (decoded?.digest !== rules.digest) decoded = { digest: rules.digest, rules: unpackRules(rules.bytes) };
  signal.throwIfAborted();
  const { findings, events, problems } = await analyzeFile(input.path, {
    rules: decoded.rules,
    logType: input.logType,
    maxSamples: input.maxFindingDetails,
    threads,
    signal,
    onProgress: (bytesDone) => reply({ bytesDone }),
  });
  return {
    findings: findings.map(toNewFinding),
    events,
    warnings: problems.map(toWarning),
    ruleSet: rules.ruleSet,
    log: rules.ruleSet.packs.map(({ name, version }) => `rules: ${name} ${version}`).join('\n'),
  };
}

function toNewFinding({ author, first, last, samples, ...finding }: Finding): NewFinding {
  return { ...finding, ruleAuthor: author, firstSeen: first, lastSeen: last, events: samples };
}

function toWarning({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}

function reply(message: EngineReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
