import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import type { TestedLog, TestedRules } from '@svc/application/ports/rule-tester.ts';
import {
  type ByteSource,
  loadTrial,
  type Placeholders,
  type RuleSet,
  type TriedLog,
  type TryOptions,
  tryRules,
} from '@svc/engine';
import { fileSource, isLargerUnpacked } from '@svc/engine/node';
import { workerData } from 'node:worker_threads';
import { answerAsks } from '../machine/answer-asks.ts';
import { readPlaceholdersFile } from './placeholders-file.ts';
import type { RulesThreadData } from './rules-thread.ts';

// Rules that somebody has just written may take any time: of a thread that can be ended.
const { placeholdersFile } = workerData as RulesThreadData;

let rules: RuleSet = { rules: [], correlations: [], silent: { rules: [], correlations: [] } };
let placeholders: Placeholders = new Map();

const answers = { compile, hold };
export type TrialThread = typeof answers;
answerAsks(answers);

async function compile(text: string): Promise<TestedRules> {
  placeholders = (await readPlaceholdersFile(placeholdersFile)).placeholders;
  const { set, ...told } = loadTrial(text, { placeholders });
  rules = set;
  return told;
}

/** What the rules find in a log; `unread` is a sentence about it. */
async function hold(
  log: TestedLog,
  samples: number,
): Promise<{ readonly tried: TriedLog } | { readonly tooLarge: true } | { readonly unread: string }> {
  try {
    if ('path' in log && (await isLargerUnpacked(log.path, log.mostBytes))) return { tooLarge: true };
    return { tried: await tried(log, samples) };
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

async function tried(log: TestedLog, maxSamples: number): Promise<TriedLog> {
  const options = { rules, placeholders, maxSamples };
  if ('events' in log) return { ...(await tryRules(...keptLog(log.events, options))), logType: log.logType };
  const source = await fileSource(log.path);
  try {
    return await tryRules(source, { ...options, logType: log.logType });
  } finally {
    await source.close();
  }
}

/**
 * Kept events as a log of their flat records: those of Windows tell by themselves where they are from; for
 * others, rules of every log source are tried whose fields they have.
 */
function keptLog(
  events: readonly StoredEvent[],
  options: Pick<TryOptions, 'rules' | 'placeholders' | 'maxSamples'>,
): [ByteSource, TryOptions] {
  const isWindows = events.every(({ fields }) => 'Channel' in fields && 'EventID' in fields);
  const lines = new Set(events.map(({ fields: { _offset, _file, ...fields } }) => `${JSON.stringify(fields)}\n`));
  const bytes = Buffer.from([...lines].join(''));
  const source: ByteSource = {
    size: bytes.length,
    read: async (offset, into) => bytes.copy(into, 0, offset, offset + into.length),
  };
  return [source, isWindows ? { ...options, logType: 'json_evtx' } : { ...options, logType: 'json', logSource: 'any' }];
}
