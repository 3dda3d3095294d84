import type { AnalyzeCommand } from '../arguments.ts';
import { type AnalyzedFile, toReport } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import { reportTable } from './table.ts';

/** Prints files as they are done, so that no more than one is held. */
export interface Printer {
  print(analyzed: AnalyzedFile): void;
  end(): void;
}

export function printerFor({ format, files }: AnalyzeCommand, terminal: Terminal): Printer {
  if (format === 'table') return tables(terminal);
  if (format === 'json' && files.length > 1) return jsonArray(terminal);
  const indent = format === 'json' ? 2 : 0;
  return { print: (file) => terminal.out(`${JSON.stringify(toReport(file), null, indent)}\n`), end: () => {} };
}

function tables(terminal: Terminal): Printer {
  let printed = 0;
  return {
    print: (file) => terminal.out((printed++ > 0 ? '\n' : '') + reportTable(file, terminal)),
    end: () => {},
  };
}

function jsonArray(terminal: Terminal): Printer {
  let printed = 0;
  return {
    print: (file) => terminal.out((printed++ > 0 ? ',\n' : '[\n') + JSON.stringify(toReport(file), null, 2)),
    end: () => terminal.out(printed > 0 ? '\n]\n' : '[]\n'),
  };
}
