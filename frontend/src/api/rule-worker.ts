import { toTestedLog } from '@svc/application/report/shown/tested-log.ts';
import { toWhy, toWhyNot, whyNoRule } from '@svc/application/report/shown/why.ts';
import { explainKept, loadTrial, tryRules } from '@svc/engine';
import type { RuleWorkerReply, RuleWorkerRequest } from './try-rule.ts';
import { blobSource } from './triage/blob-source.ts';

const tell = (message: RuleWorkerReply): void => postMessage(message);
const onProgress = (done: number): void => tell({ at: 'reading', done });

/** Placeholders have their values in the service alone: here they stand for any text, with a warning. */
const unknownPlaceholders = 'any' as const;
/** Matches of each rule that are shown. */
const maxSamples = 20;

/** Does the one thing that it is asked. */
addEventListener('message', ({ data }: MessageEvent<RuleWorkerRequest>) => {
  perform(data).then(tell, (error: unknown) =>
    tell({ at: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});

async function perform({ source, file, event }: RuleWorkerRequest): Promise<RuleWorkerReply> {
  const { set, rules, rejected, warnings } = loadTrial(source, { unknownPlaceholders });
  if (event !== undefined) {
    const reason = whyNoRule({ rules, rejected });
    if (reason !== null) return { at: 'explained', why: toWhyNot(event.place, reason) };
    return { at: 'explained', why: toWhy(event.place, await explainKept(set.rules[0]!, event.fields)) };
  }
  if (file === null) return { at: 'checked', checked: { rules, rejected, warnings } };
  const [first] = rejected;
  if (rules.length === 0) throw new Error(first ? `Line ${first.line}: ${first.message}` : 'There is no rule to test');
  const tried = await tryRules(blobSource(file), { rules: set, logType: 'auto', maxSamples, onProgress });
  return { at: 'tried', tried: toTestedLog(tried, 'log'), logType: tried.logType };
}
