/** Prefixes of terms of the entity search (resolved-intel 4.3), in the order in which completion offers them. */
export const entitySearchKeys = [
  'tag',
  'type',
  'job',
  'label',
  'attr',
  'list',
  'cidr',
  'seen',
  'first',
  'jobs',
  'is',
  'has',
] as const;
export type EntitySearchKey = (typeof entitySearchKeys)[number];

/** What each asks for, as completion tells it; `re` and `in` have values of their own form. */
export const entitySearchHelp: Readonly<Record<EntitySearchKey | 're' | 'in', string>> = {
  tag: 'Carries any of these tags; apt/ is any tag that begins so',
  type: 'Is of any of these types',
  job: 'Named in any of these jobs',
  label: 'Has this computed attribute, or carries this tag',
  attr: 'Has this computed attribute',
  list: 'Is in a list of values',
  cidr: 'An address in any of these networks',
  seen: 'Last seen: >=2026-07-01, <7d, 1d..7d',
  first: 'First seen: >=2026-07-01, <7d, 1d..7d',
  jobs: 'Number of jobs that name it: 5, >100, 3..10',
  is: 'Watched, mine, allowlisted',
  has: 'Has a note, a comment, a case, a finding',
  re: 'Its value matches a regular expression: re:/^svc[0-9]+$/',
  in: 'Its whole value is one of these: in:(a.example,b.example)',
};

/** What `attr:` can ask for (resolved-intel 2): of the first kind an entity has one at most. */
export const entityCategories = [
  'rfc1918',
  'public',
  'cgnat',
  'loopback',
  'link_local',
  'multicast',
  'reserved',
  'md5',
  'sha1',
  'sha256',
  'sha512',
] as const;
export const entityFlags = [
  'private',
  'machine',
  'privileged',
  'lolbin',
  'gtfobin',
  'dga',
  'suspicious_tld',
  'signed_path',
] as const;
export type EntityAttributeKey = (typeof entityCategories)[number] | (typeof entityFlags)[number];

export const entityAttributeMeanings: Readonly<Record<EntityAttributeKey, string>> = {
  rfc1918: 'Address of a private network',
  public: 'Address that everybody can reach',
  cgnat: 'Address that a provider shares out (100.64.0.0/10)',
  loopback: 'Address of the machine itself',
  link_local: 'Address of one link',
  multicast: 'Address of a group',
  reserved: 'Address for documentation or other special use',
  md5: 'Hash of 32 characters',
  sha1: 'Hash of 40 characters',
  sha256: 'Hash of 64 characters',
  sha512: 'Hash of 128 characters',
  private: 'Address that is not reached from elsewhere',
  machine: 'Account of a computer',
  privileged: 'Account whose name tells of privileges',
  lolbin: 'Program of Windows that attackers use, too',
  gtfobin: 'Program of Linux that attackers use, too',
  dga: 'Name that looks made by a program',
  suspicious_tld: 'Top level that is often abused',
  signed_path: 'Service of a usual folder',
};

export const entityTraits = {
  is: ['watched', 'mine', 'allowlisted'],
  has: ['note', 'comment', 'case', 'finding'],
} as const;
export type EntityTrait = (typeof entityTraits)['is'][number] | (typeof entityTraits)['has'][number];

export const entityTraitMeanings: Readonly<Record<EntityTrait, string>> = {
  watched: 'Somebody watches it',
  mine: 'You watch it',
  allowlisted: 'On the allowlist',
  note: 'Has a note',
  comment: 'Has a comment',
  case: 'In a case that you see',
  finding: 'Named in matched events that you see',
};

/** Most of each; what is beyond is told, and is no part of the search. */
export const entitySearchLimits = {
  terms: 12,
  depth: 8,
  tags: 10,
  jobs: 10,
  values: 20,
  networks: 16,
  patterns: 2,
  patternLength: 200,
} as const;

const attributeAliases: Readonly<Record<string, EntityAttributeKey>> = {
  suspicious: 'suspicious_tld',
  machine_account: 'machine',
  priv: 'privileged',
};

/** The attribute that this text names, in whatever case; null when it is none. */
export function entityAttributeKey(text: string): EntityAttributeKey | null {
  const lower = text.toLowerCase();
  return [...entityCategories, ...entityFlags].find((key) => key === lower) ?? attributeAliases[lower] ?? null;
}
