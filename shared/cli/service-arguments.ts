import { type LogType, logTypes, severities, type Severity, tagLimits, tagNames } from '@svc/domain';
import { choice, UsageError } from './argument-values.ts';

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

/** What the options of these commands say. */
interface Values {
  readonly server?: string | undefined;
  readonly 'insecure-http'?: boolean | undefined;
  readonly workflow?: string | undefined;
  readonly type?: string | undefined;
  readonly private?: boolean | undefined;
  readonly case?: string | undefined;
  readonly 'new-case'?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
  readonly 'no-wait'?: boolean | undefined;
  readonly format?: string | undefined;
  readonly 'fail-on'?: string | undefined;
  readonly name?: string | undefined;
  readonly 'pack-version'?: string | undefined;
  readonly quiet?: boolean | undefined;
}

export const serviceOptions = ['server', 'insecure-http'] as const;
export const importOptions = [...serviceOptions, 'name', 'pack-version', 'format'] as const;
export const submitOptions = [
  ...serviceOptions,
  'workflow',
  'type',
  'private',
  'case',
  'new-case',
  'tag',
  'force',
  'no-wait',
  'format',
  'fail-on',
  'quiet',
] as const;

export function submitCommand(paths: readonly string[], values: Values): SubmitCommand {
  if (paths.length === 0) throw new UsageError('Name at least one file or folder: svc submit PATH');
  const { 'fail-on': failOn, 'no-wait': noWait = false } = values;
  if (noWait && failOn !== undefined) throw new UsageError('--fail-on needs the results, so it goes without --no-wait');
  return {
    name: 'submit',
    ...serviceChoice(values),
    paths,
    workflow: values.workflow,
    logType: choice('--type', values.type ?? 'auto', ['auto', ...logTypes]),
    isPrivate: values.private ?? false,
    case: caseChoice(values),
    tags: tagsOf(values.tag ?? []),
    force: values.force ?? false,
    wait: !noWait,
    format: choice('--format', values.format ?? 'table', submissionFormats),
    failOn: failOn === undefined ? undefined : choice('--fail-on', failOn, severities),
    quiet: values.quiet ?? false,
  };
}

export function loginCommand(words: readonly string[], values: Values): LoginCommand {
  if (words.length > 0) throw new UsageError('It is: svc login --server URL; the token is asked for');
  return { name: 'login', ...serviceChoice(values) };
}

export function importRulesCommand([source, ...rest]: readonly string[], values: Values): ImportRulesCommand {
  if (source === undefined || rest.length > 0) {
    throw new UsageError('Name one pack: svc rules import FOLDER|FILE|URL');
  }
  return {
    name: 'rules import',
    ...serviceChoice(values),
    source,
    packName: values.name,
    packVersion: values['pack-version'],
    format: choice('--format', values.format ?? 'table', importFormats),
  };
}

function caseChoice({ case: known, 'new-case': made }: Values): SubmitCommand['case'] {
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

function serviceChoice(values: Values): ServiceChoice {
  return { server: values.server, insecureHttp: values['insecure-http'] ?? false };
}
