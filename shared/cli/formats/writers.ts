import type { AnalyzeCommand } from '../arguments.ts';
import type { RunContext } from '../report.ts';
import { csvWriter } from './csv.ts';
import { jsonLinesWriter, jsonWriter } from './json.ts';
import { navigatorWriter } from './navigator.ts';
import type { Style } from './style.ts';
import { tableWriter } from './table.ts';
import { timesketchWriter } from './timesketch.ts';
import type { Writer } from './writer.ts';

export interface WriterOptions {
  readonly context: RunContext;
  /** Whether there may be several logs. */
  readonly isList: boolean;
  readonly isQuiet: boolean;
  /** What the place that is written to can show. */
  readonly width: number;
  readonly style: Style;
}

export function writerFor(format: AnalyzeCommand['format'], options: WriterOptions): Writer {
  const { context, isList, isQuiet } = options;
  switch (format) {
    case 'table':
      return tableWriter(context, options, isQuiet);
    case 'json':
      return jsonWriter(context, isList);
    case 'jsonl':
      return jsonLinesWriter(context);
    case 'csv':
      return csvWriter();
    case 'timesketch':
      return timesketchWriter();
    case 'navigator':
      return navigatorWriter();
  }
}

/** Matched events kept per finding where none are asked for: all where each is a row; 0 stands for all. */
export const usualEvents: Readonly<Record<AnalyzeCommand['format'], number>> = {
  table: 1,
  json: 10,
  jsonl: 10,
  csv: 0,
  timesketch: 0,
  navigator: 1,
};
