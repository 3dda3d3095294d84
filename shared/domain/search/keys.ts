import { heldKeys } from './held-words.ts';
import { jobStatuses } from '../job-status.ts';
import { logTypes } from '../log-type.ts';
import { severities } from '../severity.ts';

/** Keys of terms, by the one name that each has here; `severity` is another spelling of one. */
export const searchKeys = [
  'tag',
  'status',
  'type',
  'workflow',
  'sev',
  'tool',
  'findings',
  'after',
  'before',
  'id',
  'sha256',
  'is',
  ...heldKeys,
  'case',
] as const;
export type SearchKey = (typeof searchKeys)[number];

const otherSpellings: ReadonlyMap<string, SearchKey> = new Map([['severity', 'sev']]);

/** What each key asks for, as completion tells it. */
export const searchKeyHelp: Readonly<Record<SearchKey, string>> = {
  tag: 'Carries any of these tags',
  status: 'State of the job',
  type: 'Type of the log',
  workflow: 'Name of the workflow contains',
  sev: 'Has a finding of this severity',
  tool: 'Name of an engine that ran contains',
  findings: 'Number of matched events',
  after: 'Created at or after',
  before: 'Created before',
  id: 'Numbers of jobs',
  sha256: 'SHA-256 of the file begins with',
  is: 'Private, mine, clean, …',
  rule: 'A rule of this name, id or word of its name matched',
  host: 'Matched events name this computer',
  user: 'Matched events name this account',
  ip: 'Matched events name this address',
  hash: 'The file, or a hash in matched events',
  technique: 'A rule of this ATT&CK technique matched',
  program: 'Matched events name this program',
  domain: 'Matched events name this domain',
  case: 'In the case of this number, or whose name contains',
};

/** What `is:` can ask for. */
export const searchTraits = [
  'private',
  'public',
  'mine',
  'anonymous',
  'watched',
  'hits',
  'clean',
  'gaps',
  'error',
  'running',
  'done',
] as const;
export type SearchTrait = (typeof searchTraits)[number];

export const searchTraitMeanings: Readonly<Record<SearchTrait, string>> = {
  private: 'Seen by its submitter and administrators only',
  public: 'Seen by everyone',
  mine: 'Submitted by you',
  anonymous: 'Submitted without an account',
  watched: 'Watched by you',
  hits: 'With matched events',
  clean: 'Without matched events',
  gaps: 'Not read whole, or without any event',
  error: 'With an error',
  running: 'Pending or running',
  done: 'Completed, partial, failed or cancelled',
};

/** Values of the keys that take nothing else. */
export const searchValues = {
  status: jobStatuses,
  type: logTypes,
  sev: severities,
  is: searchTraits,
} as const;

/** Most terms of a query; further ones are ignored and told. */
export const searchTermLimit = 12;

/** The key that this text spells, in whatever case; null when it is none. */
export function searchKey(text: string): SearchKey | null {
  const lower = text.toLowerCase();
  return searchKeys.find((key) => key === lower) ?? otherSpellings.get(lower) ?? null;
}
