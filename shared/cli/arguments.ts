import { type LogType, logTypes, severities, type Severity } from '@svc/domain';
import type { LogSource, Period, UnknownPlaceholders } from '@svc/engine';
import { parseArgs } from 'node:util';
import { choice, count, logSource, UsageError } from './argument-values.ts';
import { moment } from './moments.ts';
import {
  importOptions,
  importRulesCommand,
  type ImportRulesCommand,
  loginCommand,
  type LoginCommand,
  serviceOptions,
  submitCommand,
  type SubmitCommand,
  submitOptions,
} from './service-arguments.ts';

const formats = ['table', 'json', 'jsonl', 'csv', 'timesketch', 'navigator'] as const;
export type Format = (typeof formats)[number];

const reportFormats = ['table', 'json'] as const;

/** What rules mean by `%names%`. */
export interface PlaceholderOptions {
  /** File with their values. */
  readonly file: string | undefined;
  readonly unknown: UnknownPlaceholders;
}

export interface AnalyzeCommand {
  readonly name: 'analyze';
  /** Files, folders, patterns of names, and `-` for standard input. */
  readonly paths: readonly string[];
  /** Folders and files of rules; empty for the shipped core pack. */
  readonly rules: readonly string[];
  readonly placeholders: PlaceholderOptions;
  readonly logType: LogType | 'auto';
  /** Of records that tell none themselves; undefined to try no rule on those. */
  readonly logSource: LogSource | 'any' | undefined;
  readonly format: Format;
  /** Matched events to give per finding; 0 for all, undefined for as many as the format is made for. */
  readonly maxEvents: number | undefined;
  /** The least severe findings to report. */
  readonly level: Severity;
  /** Event times to look at; undefined for all events, also those without a time. */
  readonly period: Period | undefined;
  /** Threads for large and for many files; undefined for one per core. */
  readonly threads: number | undefined;
  /** File to write to; undefined for standard output. */
  readonly output: string | undefined;
  readonly stats: boolean;
  readonly quiet: boolean;
}

export interface CheckRulesCommand {
  readonly name: 'rules check';
  readonly paths: readonly string[];
  readonly placeholders: PlaceholderOptions;
  readonly format: (typeof reportFormats)[number];
}

export interface ExplainCommand {
  readonly name: 'explain';
  /** A rule file, or the id or title of a rule in use. */
  readonly rule: string;
  readonly file: string;
  /** Record id, or `#` and the place among the records. */
  readonly record: string;
  /** Folders and files of rules; empty for the shipped core pack. */
  readonly rules: readonly string[];
  readonly placeholders: PlaceholderOptions;
  readonly logType: LogType | 'auto';
  readonly logSource: LogSource | 'any' | undefined;
  readonly format: (typeof reportFormats)[number];
}

export type Command =
  | AnalyzeCommand
  | SubmitCommand
  | LoginCommand
  | CheckRulesCommand
  | ImportRulesCommand
  | ExplainCommand
  | HelpCommand
  | { readonly name: 'version' };

export interface HelpCommand {
  readonly name: 'help';
  /** What to explain; undefined for the program. */
  readonly topic: CommandName | undefined;
}

const options = {
  rules: { type: 'string', multiple: true },
  placeholders: { type: 'string' },
  'unknown-placeholders': { type: 'string' },
  'log-type': { type: 'string' },
  'log-source': { type: 'string' },
  format: { type: 'string' },
  'max-events': { type: 'string' },
  level: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  threads: { type: 'string' },
  output: { type: 'string', short: 'o' },
  stats: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  record: { type: 'string' },
  server: { type: 'string' },
  'insecure-http': { type: 'boolean' },
  workflow: { type: 'string' },
  type: { type: 'string' },
  private: { type: 'boolean' },
  case: { type: 'string' },
  'new-case': { type: 'string' },
  tag: { type: 'string', multiple: true },
  force: { type: 'boolean' },
  'no-wait': { type: 'boolean' },
  'fail-on': { type: 'string' },
  name: { type: 'string' },
  'pack-version': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** Options that each command takes, and how it is made of them. */
const commands = {
  analyze: {
    options: [
      'rules',
      'placeholders',
      'unknown-placeholders',
      'log-type',
      'log-source',
      'format',
      'output',
      'max-events',
      'level',
      'since',
      'until',
      'threads',
      'stats',
      'quiet',
    ],
    make: analyzeCommand,
  },
  submit: { options: submitOptions, make: submitCommand },
  login: { options: serviceOptions, make: loginCommand },
  'rules check': { options: ['placeholders', 'unknown-placeholders', 'format'], make: checkRulesCommand },
  'rules import': { options: importOptions, make: importRulesCommand },
  explain: {
    options: ['record', 'rules', 'placeholders', 'unknown-placeholders', 'log-type', 'log-source', 'format'],
    make: explainCommand,
  },
} as const satisfies Record<
  string,
  {
    readonly options: readonly (keyof typeof options)[];
    readonly make: (words: readonly string[], values: Values) => Command;
  }
>;

export type CommandName = keyof typeof commands;
type Values = ReturnType<typeof parse>['values'];

const names = Object.keys(commands) as CommandName[];

/** Reads the arguments after `svc`; throws a `UsageError`. */
export function parseCommand(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  const name = names.find((one) => one.split(' ').every((word, at) => positionals[at] === word));
  if (values.help) return { name: 'help', topic: name };
  if (values.version) return { name: 'version' };
  if (positionals.length === 0) throw new UsageError('Say what to do: svc analyze FILE');
  if (name === undefined)
    throw new UsageError(`There is no command "${positionals[0]}"; there are ${names.join(', ')}, admin`);
  const command = commands[name];
  const foreign = Object.keys(values).find((option) => !command.options.some((one) => one === option));
  if (foreign !== undefined) throw new UsageError(`svc ${name} takes no --${foreign}`);
  return command.make(positionals.slice(name.split(' ').length), values);
}

function analyzeCommand(paths: readonly string[], values: Values): AnalyzeCommand {
  if (paths.length === 0) throw new UsageError('Name at least one file or folder: svc analyze PATH');
  return {
    name: 'analyze',
    paths,
    rules: values.rules ?? [],
    placeholders: placeholdersOf(values),
    logType: choice('--log-type', values['log-type'] ?? 'auto', ['auto', ...logTypes]),
    logSource: logSourceOf(values),
    format: choice('--format', values.format ?? 'table', formats),
    maxEvents: values['max-events'] === undefined ? undefined : count('--max-events', values['max-events']),
    level: choice('--level', values.level ?? 'informational', severities),
    period: periodOf(values),
    threads: values.threads === undefined ? undefined : count('--threads', values.threads, 1),
    output: values.output,
    stats: values.stats ?? false,
    quiet: values.quiet ?? false,
  };
}

function logSourceOf(values: Values): LogSource | 'any' | undefined {
  const stated = values['log-source'];
  return stated === undefined ? undefined : logSource('--log-source', stated);
}

function placeholdersOf(values: Values): PlaceholderOptions {
  const unknown = values['unknown-placeholders'] ?? 'reject';
  return { file: values.placeholders, unknown: choice('--unknown-placeholders', unknown, ['reject', 'any']) };
}

function periodOf({ since, until }: Values): Period | undefined {
  if (since === undefined && until === undefined) return undefined;
  const now = Date.now();
  const from = since === undefined ? -Infinity : moment('--since', since, 'begin', now);
  const to = until === undefined ? Infinity : moment('--until', until, 'end', now);
  if (from >= to) throw new UsageError('--since is not before --until, so that no event can be between them');
  return { from, to };
}

function checkRulesCommand(paths: readonly string[], values: Values): CheckRulesCommand {
  if (paths.length === 0) throw new UsageError('Name at least one folder or file: svc rules check DIR');
  const placeholders = placeholdersOf(values);
  return {
    name: 'rules check',
    paths,
    placeholders,
    format: choice('--format', values.format ?? 'table', reportFormats),
  };
}

function explainCommand([rule, file, ...rest]: readonly string[], values: Values): ExplainCommand {
  if (rule === undefined || file === undefined || rest.length > 0) {
    throw new UsageError('Name a rule and a file: svc explain RULE FILE --record N');
  }
  const { record } = values;
  if (record === undefined)
    throw new UsageError('Say which record: --record N, its id, #5 for the fifth, or @512 for its _offset');
  if (!/^(?:#\d{1,20}|[^#\s].*)$/.test(record)) {
    throw new UsageError(`--record is a record id, or # and a place among the records as in #5, not "${record}"`);
  }
  return {
    name: 'explain',
    rule,
    file,
    record,
    rules: values.rules ?? [],
    placeholders: placeholdersOf(values),
    logType: choice('--log-type', values['log-type'] ?? 'auto', ['auto', ...logTypes]),
    logSource: logSourceOf(values),
    format: choice('--format', values.format ?? 'table', reportFormats),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: joined(argv), allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A time ago may begin with a minus, which would else begin an option. */
function joined(argv: readonly string[]): string[] {
  return argv.flatMap((word, at) => {
    if (isMomentOption(argv[at - 1]) && /^-\d/.test(word)) return [];
    const next = argv[at + 1] ?? '';
    return [isMomentOption(word) && /^-\d/.test(next) ? `${word}=${next}` : word];
  });
}

function isMomentOption(word: string | undefined): boolean {
  return word === '--since' || word === '--until';
}
