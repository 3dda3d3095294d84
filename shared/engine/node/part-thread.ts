import { parentPort } from 'node:worker_threads';
import { unpackRules } from '../sigma/artifact.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { PartSink } from '../part-analyzer.ts';
import {
  OpenPartError,
  type PartReply,
  type PartRequest,
  type SharedRules,
  StoppedError,
  throwIfStopped,
} from './part-job.ts';
import { readParts } from './read-parts.ts';

// Takes part in one analysis at a time; its rules stay loaded for the next.
const port = parentPort;
if (!port) throw new Error('part-thread runs as a worker thread only');

let loaded: { readonly id: number; readonly rules: RuleSet } | undefined;

port.on('message', (request: PartRequest) => void handle(request));

async function handle({ job, rules }: PartRequest): Promise<void> {
  const { control } = job;
  const signal = { throwIfAborted: () => throwIfStopped(control) };
  try {
    signal.throwIfAborted();
    const progress = (bytesDone: number): void => reply({ bytesDone });
    const correlate: PartSink = (part, matches, isLast) => reply({ part, matches, isLast });
    reply({ partial: await readParts(job, unpacked(rules), signal, progress, correlate) });
  } catch (error) {
    if (error instanceof StoppedError) reply({ stopped: true });
    else if (error instanceof OpenPartError) reply({ isOpen: true });
    else reply({ failure: error instanceof Error ? error : new Error(String(error)) });
  }
}

function unpacked({ id, bytes }: SharedRules): RuleSet {
  if (loaded?.id !== id) loaded = { id, rules: unpackRules(bytes) };
  return loaded.rules;
}

function reply(message: PartReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads of Node.js have no origin
  port?.postMessage(message);
}
