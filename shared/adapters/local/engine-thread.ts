import type { EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { DeriveConfig } from '@svc/application/ports/report-config.ts';
import {
  grouped,
  type GroupedRules,
  toDerivedOutput,
  toNewFinding,
  toWarning,
} from '@svc/application/report/shown/engine-output.ts';
import { rulesOf, unpackRules, wasCutShort } from '@svc/engine';
import { analyzeFile, fileSource } from '@svc/engine/node';
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
  const { rules: found, tactics } = await rulesFor(input, decoded, signal);
  const derive = { ...(await (deriveConfig ??= readDeriveConfig(deriveFrom))), groups: tactics };
  signal.throwIfAborted();
  const analysis = await analyzeFile(input.path, {
    rules: found,
    logType: input.logType,
    maxSamples: input.maxFindingDetails,
    census: derive,
    derive,
    raw: { maxBytes: input.maxRawBytes },
    threads,
    limits: limits.unpacked,
    seconds: limits.seconds === 0 ? undefined : limits.seconds + (limits.secondsPerMb * input.sizeBytes) / 1_048_576,
    signal,
    onProgress: (bytesDone) => reply({ bytesDone }),
  });
  const { findings, events, problems, raw, unread } = analysis;
  if (unread !== undefined) return { unread };
  const output: EngineOutput = {
    findings: findings.map(toNewFinding),
    derived: toDerivedOutput(analysis, { rules: found, tactics }),
    raw,
    events,
    isCutShort: wasCutShort(problems),
    warnings: problems.map(toWarning),
    ruleSet: rules.ruleSet,
    log: rules.ruleSet.packs.map(({ name, version }) => `rules: ${name} ${version}`).join('\n'),
  };
  return { output };
}

/** The rules to look for; of results of another engine, those that they name. */
async function rulesFor(
  { path, logType }: Pick<ThreadInput, 'path' | 'logType'>,
  given: GroupedRules,
  signal: AbortSignal,
): Promise<GroupedRules> {
  if (logType !== 'detection_results') return given;
  const source = await fileSource(path);
  try {
    return grouped(await rulesOf(source, { rules: given.rules, logType, signal }));
  } finally {
    await source.close();
  }
}

function decode({ digest, bytes }: ThreadInput['rules']): Decoded {
  return { digest, ...grouped(unpackRules(bytes)) };
}

function reply(message: EngineReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
