import { type LogType, logTypes } from '@svc/domain';
import { parseArgs } from 'node:util';

const formats = ['table', 'json', 'jsonl'] as const;
export type Format = (typeof formats)[number];

export interface AnalyzeCommand {
  readonly name: 'analyze';
  readonly files: readonly string[];
  /** Folders and files of rules; empty for the shipped core pack. */
  readonly rules: readonly string[];
  readonly logType: LogType | 'auto';
  readonly format: Format;
  /** Matched events to give per finding; 0 for all. */
  readonly maxEvents: number;
}

export type Command = AnalyzeCommand | { readonly name: 'help' | 'version' };

/** The command line cannot be understood; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the arguments after `svc`; throws a `UsageError`. */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  if (values.help) return { name: 'help' };
  if (values.version) return { name: 'version' };
  const [name, ...files] = positionals;
  if (name === undefined) throw new UsageError('Say what to do: svc analyze FILE');
  if (name !== 'analyze') throw new UsageError(`There is no command "${name}"; there is analyze`);
  if (files.length === 0) throw new UsageError('Name at least one file: svc analyze FILE');
  return {
    name,
    files,
    rules: values.rules,
    logType: choice('--log-type', values['log-type'], ['auto', ...logTypes]),
    format: choice('--format', values.format, formats),
    maxEvents: count('--max-events', values['max-events']),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rules: { type: 'string', multiple: true, default: [] },
        'log-type': { type: 'string', default: 'auto' },
        format: { type: 'string', default: 'table' },
        'max-events': { type: 'string', default: '10' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function choice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === value);
  if (chosen === undefined) throw new UsageError(`${option} is one of ${choices.join(', ')}, not "${value}"`);
  return chosen;
}

function count(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`${option} is a whole number from 0 on, not "${value}"`);
  return Number(value);
}
