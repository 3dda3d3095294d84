import { basename } from 'node:path';
import type { LoadedRules, Rule } from '@svc/engine';
import type { OutputRecord } from '../../shared/engine/events/log-event.ts';
import { analyzeFile, fileSource } from '@svc/engine/node';
import { freshTables } from '@svc/engine/testing';
import { readEvtx } from '../../shared/engine/readers/evtx/evtx-reader.ts';
import { type RuleView, viewOf, viewsFor } from '../../shared/engine/testing/plain-evaluator.ts';
import { type Pair, Pairs, recordKey } from './pairs.ts';

/** What the engine finds in the logs, every match of it. */
export async function ourPairs(logs: readonly string[], { rules }: LoadedRules): Promise<Pairs> {
  const pairs = new Pairs();
  for (const path of logs) {
    const { findings } = await analyzeFile(path, { rules, logType: 'evtx', maxSamples: 0, threads: 1 });
    for (const { ruleId, samples } of findings) {
      for (const { recordId, timestamp } of samples) {
        pairs.add({ log: basename(path), rule: ruleId ?? '', record: recordKey(recordId, timestamp) });
      }
    }
  }
  return pairs;
}

/** A rule and a record that one program says match, and another not. */
export interface Seen {
  readonly rule: Rule;
  /** The record as the rule sees it; empty when it is not of the rule's log source. */
  readonly views: readonly RuleView[];
  /** The record with its fields as they are. */
  readonly plain: RuleView;
  readonly channel: string;
  readonly provider: string;
  /** The record as the engine prints it, with types; the root of its UserData is among the names. */
  readonly record: OutputRecord;
  /** Names that any record of the log has with a value, in lower case. */
  readonly namesInLog: ReadonlySet<string>;
}

/** Reads the logs again and shows each pair to `visit`, which must not keep what it gets. */
export async function visitPairs(
  logs: readonly string[],
  rules: ReadonlyMap<string, Rule>,
  pairs: readonly Pair[],
  visit: (pair: Pair, seen: Seen) => void,
): Promise<void> {
  const wanted = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = `${pair.log} ${pair.record}`;
    wanted.set(key, [...(wanted.get(key) ?? []), pair]);
  }
  for (const path of logs) {
    const source = await fileSource(path);
    const namesInLog = new Set<string>();
    await readEvtx(source, freshTables(), (event) => {
      for (const name of Object.keys(event.toRecord())) namesInLog.add(name.toLowerCase());
    });
    const tables = freshTables();
    await readEvtx(source, tables, (event) => {
      const { recordId, timestamp } = event.head();
      for (const pair of wanted.get(`${basename(path)} ${recordKey(recordId, timestamp)}`) ?? []) {
        const rule = rules.get(pair.rule)!;
        visit(pair, {
          rule,
          views: viewsFor(rule, event, tables.fields),
          plain: viewOf(event, tables.fields),
          channel: event.route.channel,
          provider: event.route.provider,
          record: event.toRecord(),
          namesInLog,
        });
      }
    });
    await source.close();
  }
}
