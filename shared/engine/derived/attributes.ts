import type { EntityType } from './entities.ts';
import { entropyOf } from './entropy.ts';
import { type IpCategory, ipCategory } from './ip-category.ts';
import type { ThreatCategory } from './threats.ts';

/** What is worked out of an entity itself (resolved-intel 2); none of some types. */
export type EntityAttributes =
  | { readonly version: 'v4' | 'v6'; readonly category: IpCategory; readonly is_private: boolean }
  | { readonly algorithm: HashAlgorithm; readonly length: number }
  | {
      readonly tld: string;
      readonly label_count: number;
      readonly suspicious_tld: boolean;
      readonly looks_dga: boolean;
    }
  | { readonly is_machine_account: boolean; readonly looks_privileged: boolean }
  | { readonly is_lolbin: boolean; readonly is_gtfobin: boolean }
  | { readonly looks_signed_keyword: boolean };

type HashAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** What attributes are told by beside the entity itself. */
export interface AttributeRules {
  /** Programs of Windows and of Linux that attackers use, in lower case. */
  readonly lolbins: ReadonlySet<string>;
  readonly gtfobins: ReadonlySet<string>;
  /** In lower case, without their dot. */
  readonly suspiciousTlds: ReadonlySet<string>;
  /** `entropy` is the rule that only labels of 16 characters and more can meet. @default shape */
  readonly dgaRule?: 'shape' | 'entropy' | undefined;
}

/** Rises when other attributes come of the same entity. */
export const attributesVersion = 1;

/** The sets of the heuristics, which are the ones that attributes go by. */
export function attributeRulesOf(
  threats: readonly ThreatCategory[],
  dgaRule?: AttributeRules['dgaRule'],
): AttributeRules {
  const checks = (key: string): ThreatCategory['checks'] =>
    threats.find((category) => category.key === key)?.checks ?? [];
  const names = (key: string): ReadonlySet<string> =>
    new Set(checks(key).flatMap((check) => (check.type === 'basename_in_set' ? check.values : [])));
  const tlds = threats
    .flatMap((category) => category.checks)
    .flatMap((check) => (check.type === 'keyword_in_value' && check.name === 'SUSPICIOUS_TLD' ? check.values : []));
  return {
    lolbins: names('lolbin_usage'),
    gtfobins: names('unix_lolbin_usage'),
    suspiciousTlds: new Set(tlds.map((tld) => tld.replace(/^\./, ''))),
    dgaRule,
  };
}

/** The attributes of an entity; null for one of which nothing is worked out. */
export function attributesOf(type: EntityType, value: string, rules: AttributeRules): EntityAttributes | null {
  switch (type) {
    case 'ip_address':
      return ofAddress(value);
    case 'hash':
      return ofHash(value);
    case 'domain':
      return ofDomain(value, rules);
    case 'user':
      return {
        is_machine_account: value.endsWith('$'),
        looks_privileged: /admin|\broot\b|svc-|sa_/i.test(value),
      };
    case 'executable':
      return { is_lolbin: rules.lolbins.has(value), is_gtfobin: rules.gtfobins.has(value) };
    case 'service':
      return { looks_signed_keyword: /system32|syswow64|\\windows\\|\/windows\/|program files/i.test(value) };
    case 'computer':
    case 'cmdline_file':
    case 'task':
      return null;
  }
}

const flags: readonly (readonly [key: string, attribute: string])[] = [
  ['dga', 'looks_dga'],
  ['gtfobin', 'is_gtfobin'],
  ['lolbin', 'is_lolbin'],
  ['machine', 'is_machine_account'],
  ['private', 'is_private'],
  ['privileged', 'looks_privileged'],
  ['signed_path', 'looks_signed_keyword'],
  ['suspicious_tld', 'suspicious_tld'],
];

/** Keys by which `attr:` finds an entity: one for its category or algorithm, then flags by name. */
export function attributeKeysOf(attributes: EntityAttributes | null): string[] {
  if (attributes === null) return [];
  const held = attributes as Readonly<Record<string, unknown>>;
  const category = held['category'] ?? held['algorithm'];
  const set = flags.flatMap(([key, attribute]) => (held[attribute] === true ? [key] : []));
  return typeof category === 'string' ? [category, ...set] : set;
}

const privateCategories: ReadonlySet<IpCategory> = new Set(['rfc1918', 'loopback', 'link_local', 'cgnat']);

function ofAddress(value: string): EntityAttributes | null {
  const category = ipCategory(value);
  if (category === null) return null;
  return { version: value.includes(':') ? 'v6' : 'v4', category, is_private: privateCategories.has(category) };
}

const algorithms: ReadonlyMap<number, HashAlgorithm> = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [128, 'sha512'],
]);

function ofHash({ length }: string): EntityAttributes | null {
  const algorithm = algorithms.get(length);
  return algorithm === undefined ? null : { algorithm, length };
}

function ofDomain(value: string, { suspiciousTlds, dgaRule = 'shape' }: AttributeRules): EntityAttributes | null {
  const labels = value.trim().toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length < 2) return null;
  const [first, tld] = [labels[0]!, labels.at(-1)!];
  return {
    tld,
    label_count: labels.length,
    suspicious_tld: suspiciousTlds.has(tld),
    looks_dga: dgaRule === 'entropy' ? first.length >= 12 && entropyOf(first) >= 4 : hasDgaShape(first),
  };
}

/** Whether the characters of a label are nearly all different, and do not read as words do. */
function hasDgaShape(label: string): boolean {
  if (label.length < 10 || entropyOf(label) / Math.log2(label.length) < 0.88) return false;
  const digits = label.replace(/\D/g, '').length;
  return digits >= 3 || /[^aeiou]{5}/.test(label);
}
