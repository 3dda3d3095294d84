import type { EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { DeriveConfig } from '@svc/application/ports/report-config.ts';
import {
  grouped,
  type GroupedRules,
  toDerivedOutput,
  toNewFinding,
  toWarning,
} from '@svc/application/report/shown/engine-output.ts';
import { measuredOneIn, toRuleCosts } from '@svc/application/report/rule-costs.ts';
import { engineTitles } from '@svc/domain';
import { unpackRules, wasCutShort } from '@svc/engine';
import { analyzeFile, rulesOfFile } from '@svc/engine/node';
import { parentPort, workerData } from 'node:worker_threads';
import { workBehindOthers } from './behind-others.ts';
import { readDeriveConfig } from './derive-config.ts';
import type { EngineReply, EngineRequest, EngineThreadData, ThreadInput } from './engine-messages.ts';

// One analysis at a time; the rules that it needed stay decoded for the next.
const { deriveFrom, limits, threads } = workerData as EngineThreadData;
const port = parentPort;
if (!port) throw new Error('engine-thread runs as a worker thread only');
workBehindOthers();

interface Decoded extends GroupedRules {
  readonly digest: string;
}

let decoded: Decoded | null = null;
let deriveConfig: Promise<DeriveConfig> | null = null;
let abort = new AbortController();

port.on('message', (request: EngineRequest) => {
  if ('abort' in request) abort.abort();
  else void handle(request.run);
});

async function handle(input: ThreadInput): Promise<void> {
  abort = new AbortController();
  const { signal } = abort;
  try {
    reply(await run(input, signal));
  } catch (error) {
    reply(signal.aborted ? { aborted: true } : failureOf(error));
  }
}

function failureOf(error: unknown): EngineReply {
  if (!(error instanceof Error)) return { failure: String(error), log: '' };
  return { failure: error.message, log: error.stack ?? '' };
}

async function run({ rules, ...input }: ThreadInput, signal: AbortSignal): Promise<EngineReply> {
  if (decoded?.digest !== rules.digest) decoded = decode(rules);
  const reading = {
    rules: decoded.rules,
    logType: input.logType,
    limits: limits.unpacked,
    seconds: limits.seconds === 0 ? undefined : limits.seconds + (limits.secondsPerMb * input.sizeBytes) / 1_048_576,
    signal,
  };
  const rulesFound = await rulesOfFile(input.path, reading);
  const found = rulesFound === decoded.rules ? decoded : grouped(rulesFound);
  const { tactics } = found;
  const derive = { ...(await (deriveConfig ??= readDeriveConfig(deriveFrom))), groups: tactics };
  signal.throwIfAborted();
  const analysis = await analyzeFile(input.path, {
    ...reading,
    rules: rulesFound,
    maxSamples: input.maxFindingDetails,
    census: derive,
    derive,
    raw: { maxBytes: input.maxRawBytes },
    costs: { oneIn: measuredOneIn },
    threads,
    onProgress: (bytesDone) => reply({ bytesDone }),
  });
  const { findings, events, problems, raw, toldBy, unread } = analysis;
  if (unread !== undefined) return { unread };
  const output: EngineOutput = {
    ...(toldBy && { engine: toldBy }),
    findings: findings.map(toNewFinding),
    derived: toDerivedOutput(analysis, found),
    raw,
    events,
    isCutShort: wasCutShort(problems),
    warnings: problems.map(toWarning),
    ruleSet: toldBy === undefined ? rules.ruleSet : null,
    ruleCosts: toldBy === undefined ? toRuleCosts(analysis, rulesFound) : undefined,
    log: toldBy === undefined ? usedRules(rules) : `The file is what ${engineTitles[toldBy]} found; no rules were run.`,
  };
  return { output };
}

function usedRules({ ruleSet }: ThreadInput['rules']): string {
  return ruleSet.packs.map(({ name, version }) => `rules: ${name} ${version}`).join('\n');
}

function decode({ digest, bytes }: ThreadInput['rules']): Decoded {
  return { digest, ...grouped(unpackRules(bytes)) };
}

function reply(message: EngineReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
