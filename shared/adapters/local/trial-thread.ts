import type { StoredEvent } from '@svc/application/report/new-finding.ts';
import type { TestedLog, TestedRules } from '@svc/application/ports/rule-tester.ts';
import {
  explainKept,
  type Explanation,
  keptLog,
  loadTrial,
  type Placeholders,
  type RuleSet,
  type TriedLog,
  tryRules,
} from '@svc/engine';
import { fileSource, isLargerUnpacked } from '@svc/engine/node';
import type { LogType } from '@svc/domain';
import { workerData } from 'node:worker_threads';
import { answerAsks } from '../machine/answer-asks.ts';
import { readPlaceholdersFile } from './placeholders-file.ts';
import { GatheredMatches } from './gathered-matches.ts';
import type { RulesThreadData } from './rules-thread.ts';

// Rules that somebody has just written may take any time: of a thread that can be ended.
const { placeholdersFile } = workerData as RulesThreadData;

let rules: RuleSet = { rules: [], correlations: [], silent: { rules: [], correlations: [] } };
let placeholders: Placeholders = new Map();

const answers = { compile, hold, explain, gather, next };
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

let gathering: GatheredMatches | null = null;

/** Begins to read a log for all matches of the rules, which `next` then gives. */
function gather(path: string, logType: LogType): void {
  gathering = new GatheredMatches(path, { rules, logType });
}

function next(): ReturnType<GatheredMatches['next']> {
  return gathering!.next();
}

/** The first rule held against a kept event; `unread` is a sentence about the event. */
async function explain({
  fields,
}: StoredEvent): Promise<{ readonly explained: Explanation } | { readonly unread: string }> {
  try {
    return { explained: await explainKept(rules.rules[0]!, fields, placeholders) };
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

async function tried(log: TestedLog, maxSamples: number): Promise<TriedLog> {
  const options = { rules, placeholders, maxSamples };
  if ('events' in log) {
    const [kept, told] = keptLog(log.events.map(({ fields }) => fields));
    return { ...(await tryRules(kept, { ...options, ...told })), logType: log.logType };
  }
  const source = await fileSource(log.path);
  try {
    return await tryRules(source, { ...options, logType: log.logType });
  } finally {
    await source.close();
  }
}
