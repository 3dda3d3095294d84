import { type Command as Definition, Option } from '@commander-js/extra-typings';
import { type LogType, severities, type Severity } from '@svc/domain';
import type { LogSource, Period, UnknownPlaceholders } from '@svc/engine';
import { choiceOfFormat, logSource, logTypeChoices, repeated, UsageError, wholeNumber } from './argument-values.ts';
import { defineAlertRules, type AlertRulesCommand } from './alert-rules-arguments.ts';
import { defineIntel, type IntelCommand } from './intel-arguments.ts';
import { type Printed, readCommandLine } from './command-line.ts';
import { moment } from './moments.ts';
import manifest from './package.json' with { type: 'json' };
import {
  defineImportRules,
  defineLogin,
  defineSubmit,
  type ImportRulesCommand,
  type LoginCommand,
  type SubmitCommand,
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

export interface ProfileRulesCommand {
  readonly name: 'rules profile';
  readonly paths: readonly string[];
  /** Folders and files of rules; empty for the shipped core pack. */
  readonly rules: readonly string[];
  readonly placeholders: PlaceholderOptions;
  readonly logType: LogType | 'auto';
  /** Rules to tell of. */
  readonly top: number;
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
  | ProfileRulesCommand
  | ImportRulesCommand
  | AlertRulesCommand
  | IntelCommand
  | ExplainCommand;

/** Reads the arguments after `svc`; throws a `UsageError`. */
export function parseCommand(argv: readonly string[]): Command | Printed {
  if (argv.length === 0) throw new UsageError('Say what to do: svc analyze FILE');
  return readCommandLine<Command>('svc', argv, (program, take) => {
    program.version(manifest.version, '-V, --version', 'the version').usage('COMMAND …').commandsGroup('Commands:');
    defineAnalyze(program.command('analyze'), take);
    defineSubmit(program.command('submit'), take);
    defineLogin(program.command('login'), take);
    const rules = program
      .command('rules')
      .summary('check rules, measure them, or import a pack of them')
      .description('Rules, here and at a service.');
    rules.usage('COMMAND …').helpCommand(false);
    defineCheckRules(rules.command('check'), take);
    defineProfileRules(rules.command('profile'), take);
    defineImportRules(rules.command('import'), take);
    defineIntel(program.command('intel'), take);
    defineAlertRules(program.command('alert-rules'), take);
    defineExplain(program.command('explain'), take);
    // In the program of the service, with which it is built (bin/svc.mjs).
    program
      .command('admin')
      .description('change accounts of the service when nobody can sign in')
      .argument('<COMMAND...>')
      .action(() => {
        throw new UsageError('svc admin is part of the service: run dist/server/admin.mjs');
      });
    program
      .command('doctor')
      .description('find what is wrong with the service of this machine, and what mends it')
      .allowUnknownOption()
      .action(() => {
        throw new UsageError('svc doctor is part of the service: run dist/server/doctor.mjs');
      });
  });
}

const rulesOption = () =>
  new Option(
    '--rules <PATH>',
    'rules to use instead of the core pack: rule files, folders, and packs (zip, gzipped tar); may be repeated',
  )
    .argParser(repeated)
    .default<readonly string[]>([]);

const placeholdersOption = () =>
  new Option('--placeholders <FILE>', 'values of the %names% in rules: YAML, a list of values by name');

const unknownPlaceholdersOption = () =>
  new Option('--unknown-placeholders <WHAT>', 'rules whose %names% have no values, with any each taken for anything')
    .choices(['reject', 'any'])
    .default('reject' as const);

const logTypeOption = () =>
  new Option('--log-type <TYPE>', 'what the files are, as evtx or syslog; auto goes by content')
    .choices(logTypeChoices)
    .default('auto' as const);

const logSourceOption = () =>
  new Option(
    '--log-source <SOURCE>',
    'of records that do not tell it, as in tables: product=windows,category=process_creation; or any, to try all rules whose fields they have',
  ).argParser(logSource);

function defineAnalyze(command: Definition, take: (command: AnalyzeCommand) => void): void {
  const now = Date.now();
  command
    .summary('check log files against Sigma rules')
    .description(
      'Checks logs against Sigma rules and reports what was found. Files may be gzip, or zip archives of logs. The kind of log goes by content, never by name.',
    )
    .usage('PATH… [options]')
    .argument('<PATH...>', "a file, a folder with all below it, a pattern as 'logs/**/*.evtx', or - for standard input")
    .optionsGroup('What to look for:')
    .addOption(rulesOption())
    .addOption(placeholdersOption())
    .addOption(unknownPlaceholdersOption())
    .addOption(new Option('--level <LEVEL>', 'least severity').choices(severities).default('informational' as const))
    .option(
      '--since <TIME>',
      'only events from then on: 2026-03-01, 2026-03-01T10:30+01:00 (UTC where no zone is said), or how long ago: 24h, 7d',
      (text) => moment('--since', text, 'begin', now),
    )
    .option('--until <TIME>', 'only events before then; a date includes its day', (text) =>
      moment('--until', text, 'end', now),
    )
    .addOption(logTypeOption())
    .addOption(logSourceOption())
    .optionsGroup('What to make of it:')
    .addOption(new Option('--format <FORMAT>', 'how to tell it').choices(formats).default('table' as const))
    .option('-o, --output <FILE>', 'write there, and the summary to the terminal')
    .option(
      '--max-events <N>',
      'matched events to give per finding, 0 for all [10; all for csv and timesketch]',
      wholeNumber(0),
    )
    .option('--stats', 'tell what the logs consist of, speed and memory', false)
    .option('-q, --quiet', 'no progress, no summary, no remarks', false)
    .optionsGroup('Options:')
    .option('--threads <N>', 'threads for large and for many files [by size and cores]', wholeNumber(1))
    .addHelpText(
      'after',
      `
Formats: json is an object, of several files an array; timesketch is JSON lines; navigator
is an ATT&CK layer.

Examples:
  svc analyze Security.evtx
  svc analyze C:\\Windows\\System32\\winevt\\Logs --level medium
  svc analyze evidence.zip --rules sigma/rules --format csv -o matches.csv
  svc analyze logs --since 2026-03-01 --until 2026-03-03 --format timesketch -o t.jsonl
  zcat auth.log.gz | svc analyze - --format json

Exit code: 0 when every log was analysed, whatever was found; 2 when the command line
cannot be understood, a file cannot be read or is no known log, or no rule is usable;
130 when interrupted.`,
    )
    .action((paths, { placeholders, unknownPlaceholders, since, until, ...options }) =>
      take({
        name: 'analyze',
        paths,
        ...options,
        placeholders: { file: placeholders, unknown: unknownPlaceholders },
        logSource: options.logSource,
        maxEvents: options.maxEvents,
        threads: options.threads,
        output: options.output,
        period: periodOf(since, until),
      }),
    );
}

function periodOf(since: number | undefined, until: number | undefined): Period | undefined {
  if (since === undefined && until === undefined) return undefined;
  const [from, to] = [since ?? -Infinity, until ?? Infinity];
  if (from >= to) throw new UsageError('--since is not before --until, so that no event can be between them');
  return { from, to };
}

function defineCheckRules(command: Definition, take: (command: CheckRulesCommand) => void): void {
  command
    .summary('tell which rules load, and why others do not')
    .description(
      'Loads Sigma rules as an analysis would and tells which are left out, where and why, and which are in force for logs that cannot be read here.',
    )
    .usage('PATH… [options]')
    .argument('<PATH...>', 'a folder of rules, or a file')
    .addOption(placeholdersOption())
    .addOption(unknownPlaceholdersOption())
    .addOption(choiceOfFormat(reportFormats, 'table'))
    .addHelpText(
      'after',
      `
Examples:
  svc rules check sigma/rules
  svc rules check mine.yml --format json

Exit code: 0 when no rule was rejected, 1 when one was, 2 when the command line cannot
be understood or a path cannot be read or holds no rules.`,
    )
    .action((paths, { placeholders, unknownPlaceholders, format }) =>
      take({ name: 'rules check', paths, placeholders: { file: placeholders, unknown: unknownPlaceholders }, format }),
    );
}

function defineProfileRules(command: Definition, take: (command: ProfileRulesCommand) => void): void {
  command
    .summary('tell what each rule costs over logs, and how often it matches')
    .description(
      'Analyses logs in one thread and measures every rule where it is evaluated: the slow and the noisy stand first.',
    )
    .usage('FILE… [options]')
    .argument('<FILE...>', "a file, a folder with all below it, a pattern as 'logs/**/*.evtx', or - for standard input")
    .addOption(rulesOption())
    .addOption(placeholdersOption())
    .addOption(unknownPlaceholdersOption())
    .addOption(logTypeOption())
    .addOption(new Option('--top <N>', 'rules to tell of in the table').argParser(wholeNumber(1)).default(25))
    .addOption(choiceOfFormat(reportFormats, 'table'))
    .action((paths, { rules, placeholders, unknownPlaceholders, logType, top, format }) =>
      take({
        name: 'rules profile',
        paths,
        rules,
        placeholders: { file: placeholders, unknown: unknownPlaceholders },
        logType,
        top,
        format,
      }),
    );
}

function defineExplain(command: Definition, take: (command: ExplainCommand) => void): void {
  command
    .summary('show why a rule matches a record or does not')
    .description(
      'Holds a rule against one record of a log and shows, part by part, what the rule asks, what the record has there, and which part decides. Of a correlation, the rules that it counts are explained.',
    )
    .usage('RULE FILE --record N [options]')
    .argument('<RULE>', 'a Sigma file, or the id or title of a rule in use')
    .argument(
      '<FILE>',
      'a log as reports name it: a file, an entry of an archive as in evidence.zip/auth.log, or - for standard input',
    )
    .requiredOption(
      '--record <N>',
      "the record's id (EventRecordID), or its place where the log has no ids; #5 is the fifth record of any log, @512 the one that reports give with this _offset",
    )
    .addOption(rulesOption())
    .addOption(placeholdersOption())
    .addOption(unknownPlaceholdersOption())
    .addOption(logSourceOption())
    .addOption(logTypeOption())
    .addOption(choiceOfFormat(reportFormats, 'table'))
    .addHelpText(
      'after',
      `
Example: svc explain "Whoami Execution" Sysmon.evtx --record 3902841

Exit code: 0 when the record was explained, whether it matches or not; 2 when the command
line cannot be understood, or there is no such rule, file or record.`,
    )
    .action((rule, file, { placeholders, unknownPlaceholders, ...options }) => {
      if (!/^(?:#\d{1,20}|[^#\s].*)$/.test(options.record)) {
        throw new UsageError(
          `--record is a record id, or # and a place among the records as in #5, not "${options.record}"`,
        );
      }
      take({
        name: 'explain',
        rule,
        file,
        ...options,
        logSource: options.logSource,
        placeholders: { file: placeholders, unknown: unknownPlaceholders },
      });
    });
}
