import { type RunContext, toReport } from '../report.ts';
import type { Writer } from './writer.ts';

/** An object per line and log. */
export function jsonLinesWriter(context: RunContext): Writer {
  return {
    begin: () => [],
    add: (log) => [`${JSON.stringify(toReport(log, context))}\n`],
    end: () => [],
    notes: () => [],
  };
}

/** One object, or a list of them where there may be several logs. */
export function jsonWriter(context: RunContext, isList: boolean): Writer {
  let written = 0;
  return {
    begin: () => [],
    add: (log) => {
      const text = JSON.stringify(toReport(log, context), null, 2);
      return isList ? [written++ > 0 ? ',\n' : '[\n', text] : [`${text}\n`];
    },
    end: () => (isList ? [written > 0 ? '\n]\n' : '[]\n'] : []),
    notes: () => [],
  };
}
