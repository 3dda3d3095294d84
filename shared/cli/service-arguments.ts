import { type Command as Definition, Option } from '@commander-js/extra-typings';
import { type LogType, severities, type Severity, tagLimits, tagNames } from '@svc/domain';
import { choiceOfFormat, logTypeChoices, repeated, serverOption, UsageError } from './argument-values.ts';

const importFormats = ['table', 'json'] as const;
const submissionFormats = ['table', 'json', 'jsonl'] as const;

/** Which service a command talks to. */
interface ServiceChoice {
  /** Undefined for the one that the environment or the configuration names. */
  readonly server: string | undefined;
  /** Whether plain HTTP to other machines is accepted. */
  readonly insecureHttp: boolean;
}

export interface SubmitCommand extends ServiceChoice {
  readonly name: 'submit';
  /** Files, folders and patterns of names. */
  readonly paths: readonly string[];
  /** Id or name; undefined for the workflow that fits the type of each file. */
  readonly workflow: string | undefined;
  readonly logType: LogType | 'auto';
  readonly isPrivate: boolean;
  /** Id or name of the case that the jobs belong to, or the name of one to make; undefined for none. */
  readonly case: { readonly isNew: boolean; readonly name: string } | undefined;
  readonly tags: readonly string[];
  /** Whether to analyse anew what was analysed before. */
  readonly force: boolean;
  /** Whether to wait for the results. */
  readonly wait: boolean;
  readonly format: (typeof submissionFormats)[number];
  /** The least severity of findings that is a failure; undefined for none. */
  readonly failOn: Severity | undefined;
  readonly quiet: boolean;
}

export interface LoginCommand extends ServiceChoice {
  readonly name: 'login';
}

export interface ImportRulesCommand extends ServiceChoice {
  readonly name: 'rules import';
  /** A folder, a zip archive, a gzipped tar, or a URL that the service fetches. */
  readonly source: string;
  /** Undefined for what the pack, or its file, is called. */
  readonly packName: string | undefined;
  readonly packVersion: string | undefined;
  readonly format: (typeof importFormats)[number];
}

const tokenText = 'The token comes from SVC_TOKEN or from svc login.';

export function defineSubmit(command: Definition, take: (command: SubmitCommand) => void): void {
  command
    .summary('send log files to a service and tell what it finds')
    .description(
      'Sends log files to a service, waits for their analysis and tells what was found. Two files are on their way at a time. The same call may be repeated after an interruption: a file that was submitted with the same name and options is not submitted again.',
    )
    .usage('PATH… [--server URL] [options]')
    .argument('<PATH...>', "a file, a folder with all logs below it, or a pattern such as 'logs/**/*.evtx'")
    .optionsGroup('Where to:')
    .addOption(serverOption())
    .option('--insecure-http', 'send token and files over plain http to another machine', false)
    .optionsGroup('What to do with the files:')
    .option('--workflow <WORKFLOW>', 'id or name of the workflow for all [the default one that takes the type]')
    .addOption(
      new Option('--type <TYPE>', 'what the files are, as evtx or syslog')
        .choices(logTypeChoices)
        .default('auto' as const),
    )
    .option('--private', 'for you and administrators only', false)
    .option('--case <CASE>', 'add the jobs to this case: its id or name')
    .option('--new-case <NAME>', 'make the case first; the next call with this name takes the same')
    .addOption(
      new Option('--tag <TAG>', `tag the jobs; may be repeated, up to ${tagLimits.count} times`)
        .argParser(repeated)
        .default<readonly string[]>([]),
    )
    .option('--force', 'analyse anew what was analysed before', false)
    .optionsGroup('What to make of it:')
    .option('--no-wait', 'do not wait for the results')
    .addOption(choiceOfFormat(submissionFormats, 'table'))
    .addOption(
      new Option('--fail-on <LEVEL>', 'exit with 1 for findings of at least this severity').choices(severities),
    )
    .option('-q, --quiet', 'no progress, no remarks', false)
    .addHelpText(
      'after',
      `
Formats: json is an array; jsonl is a line per file when it is done.

${tokenText} It needs the scope job:submit, job:read
to wait for results, case:write to add to a case, and case:read to find one by name.

Examples:
  svc submit Security.evtx --server https://svc.example.org
  svc submit /evidence/host7 --private --new-case 'Host 7' --tag phishing --fail-on high
  svc submit 'logs/*.evtx' --format jsonl --no-wait

Exit code: 0 when every file was analysed completely; 1 when something of the severity of
--fail-on was found; 2 when the command line cannot be understood or there is no file to
submit; 3 when a file was not submitted or not analysed completely; 4 when the service is
out of reach; 5 when there is no token or it is refused; 130 when interrupted.`,
    )
    .action((paths, { type, private: isPrivate, case: known, newCase, tag, ...options }) => {
      if (!options.wait && options.failOn !== undefined) {
        throw new UsageError('--fail-on needs the results, so it goes without --no-wait');
      }
      take({
        name: 'submit',
        paths,
        ...options,
        server: options.server,
        workflow: options.workflow,
        failOn: options.failOn,
        logType: type,
        isPrivate,
        case: caseChoice(known, newCase),
        tags: tagsOf(tag),
      });
    });
}

export function defineLogin(command: Definition, take: (command: LoginCommand) => void): void {
  command
    .summary('keep the token for a service')
    .description(
      'Asks for an API token without showing it, tries it, and keeps both for svc submit in svc/config.json of $XDG_CONFIG_HOME or ~/.config, which only you may read. Where nobody types, the token is the first line of standard input.',
    )
    .usage('--server URL')
    .addOption(serverOption())
    .option('--insecure-http', 'send the token over plain http to another machine', false)
    .addHelpText(
      'after',
      `
Exit code: 0 when the token was kept, 2 when the command line cannot be understood, 4 when
the service is out of reach, 5 when it refuses the token.`,
    )
    .action(({ server, insecureHttp }) => take({ name: 'login', server, insecureHttp }));
}

export function defineImportRules(command: Definition, take: (command: ImportRulesCommand) => void): void {
  command
    .summary('put a rule pack in force at a service')
    .description(
      'Sends a rule pack to a service and puts it in force there: all of it or, where it is no pack or not safe to unpack, nothing. Tells which of its rules are rejected, where and why.',
    )
    .usage('PACK [--server URL] [options]')
    .argument(
      '<PACK>',
      'a folder, a zip archive or gzipped tar, as the releases of SigmaHQ are, or a URL: that is fetched by the service, which looks there for newer versions from then on',
    )
    .option(
      '--name <NAME>',
      'what to call the pack; the next import under this name is a new version of it [what the pack or its file says]',
    )
    .option('--pack-version <TEXT>', 'what to call this version [the date of its newest rule]')
    .addOption(serverOption())
    .option('--insecure-http', 'send token and rules over plain http to another machine', false)
    .addOption(choiceOfFormat(importFormats, 'table'))
    .addHelpText(
      'after',
      `
${tokenText} It must be an administrator’s, with the
scopes rule:write and, for a folder or a file, job:submit.

Examples:
  svc rules import sigma_all_rules.zip --name sigmahq --pack-version r2026-08-05
  svc rules import https://example.org/rules.zip --name team

Exit code: 0 when the pack is in force; 2 when the command line cannot be understood or
the pack cannot be read; 3 when the service refuses it; 4 when the service is out of
reach; 5 when there is no token or it is refused; 130 when interrupted.`,
    )
    .action((source, { name, packVersion, server, insecureHttp, format }) =>
      take({ name: 'rules import', source, packName: name, packVersion, server, insecureHttp, format }),
    );
}

function caseChoice(known: string | undefined, made: string | undefined): SubmitCommand['case'] {
  if (known !== undefined && made !== undefined) throw new UsageError('There is one case: --case or --new-case');
  const name = (made ?? known)?.trim();
  if (name === '') throw new UsageError('A case has a name');
  return name === undefined ? undefined : { isNew: made !== undefined, name };
}

function tagsOf(given: readonly string[]): string[] {
  const tags = tagNames(given);
  if (tags.length > tagLimits.count) throw new UsageError(`There are at most ${tagLimits.count} tags`);
  return tags;
}
