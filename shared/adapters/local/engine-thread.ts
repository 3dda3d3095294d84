import type { DerivedOutput, EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { NewFinding } from '@svc/application/ports/result-repository.ts';
import { otherTactic, type TacticGroup, tacticGroups } from '@svc/domain';
import {
  type Derived,
  type DeriveOptions,
  type Finding,
  type ReadProblem,
  type RuleSet,
  unpackRules,
} from '@svc/engine';
import { analyzeFile } from '@svc/engine/node';
import { parentPort, workerData } from 'node:worker_threads';
import { readDeriveConfig } from './derive-config.ts';
import type { EngineReply, EngineRequest, EngineThreadData, ThreadInput } from './engine-messages.ts';

// One analysis at a time; the rules that it needed stay decoded for the next.
const { deriveFrom, threads } = workerData as EngineThreadData;
const port = parentPort;
if (!port) throw new Error('engine-thread runs as a worker thread only');

interface Decoded {
  readonly digest: string;
  readonly rules: RuleSet;
  readonly tactics: readonly TacticGroup[];
}

let decoded: Decoded | null = null;
let deriveConfig: Promise<Omit<DeriveOptions, 'groups'>> | null = null;
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
  if (decoded?.digest !== rules.digest) decoded = decode(rules);
  const { tactics } = decoded;
  const derive = { ...(await (deriveConfig ??= readDeriveConfig(deriveFrom))), groups: tactics };
  signal.throwIfAborted();
  const { findings, events, problems, derived } = await analyzeFile(input.path, {
    rules: decoded.rules,
    logType: input.logType,
    maxSamples: input.maxFindingDetails,
    derive,
    threads,
    signal,
    onProgress: (bytesDone) => reply({ bytesDone }),
  });
  return {
    findings: findings.map(toNewFinding),
    derived: derived && toDerived(derived, findings, decoded),
    events,
    warnings: problems.map(toWarning),
    ruleSet: rules.ruleSet,
    log: rules.ruleSet.packs.map(({ name, version }) => `rules: ${name} ${version}`).join('\n'),
  };
}

function toNewFinding({ author, first, last, samples, ...finding }: Finding): NewFinding {
  return { ...finding, ruleAuthor: author, firstSeen: first, lastSeen: last, events: samples };
}

function decode({ digest, bytes }: ThreadInput['rules']): Decoded {
  const rules = unpackRules(bytes);
  return { digest, rules, tactics: tacticGroups(rules.rules) };
}

const keyOf = (id: string | null, name: string): string => `${id}\u0000${name}`;

/** Names findings by their places instead of rules by theirs. */
function toDerived(derived: Derived, findings: readonly Finding[], { rules, tactics }: Decoded): DerivedOutput {
  const places = new Map(findings.map(({ ruleId, ruleName }, place) => [keyOf(ruleId, ruleName), place]));
  const placeOf = rules.rules.map(({ id, title }) => places.get(keyOf(id, title)) ?? -1);
  const ofFinding = findings.map((): TacticGroup => otherTactic);
  for (const [rule, place] of placeOf.entries()) if (place >= 0) ofFinding[place] = tactics[rule]!;
  const markers = derived.alerts.markers.map((marker) => ({ ...marker, rule: placeOf[marker.rule]! }));
  return { ...derived, alerts: { ...derived.alerts, markers }, tactics: ofFinding };
}

function toWarning({ message, count, offset }: ReadProblem): string {
  return count === 1 ? `${message} (at byte ${offset})` : `${message} (${count} times, first at byte ${offset})`;
}

function reply(message: EngineReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
