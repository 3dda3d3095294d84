import type { EntityType } from './entity.ts';

/** Something that logs name, as an indicator for other programs (resolved-intel 17.1). */
export interface Named {
  readonly type: EntityType;
  readonly value: string;
}

/** What a STIX pattern compares with the value of each type. */
const patternPaths: Readonly<Record<Exclude<EntityType, 'hash' | 'ip_address'>, string>> = {
  domain: 'domain-name:value',
  executable: 'file:name',
  cmdline_file: 'file:name',
  user: 'user-account:account_login',
  computer: 'x-svc-host:hostname',
  service: "process:extensions.'windows-service-ext'.service_name",
  task: 'x-svc-task:name',
};

/** Algorithms by the length of their hashes. */
const hashes: Readonly<Record<number, { readonly stix: string; readonly misp: string }>> = {
  32: { stix: 'MD5', misp: 'md5' },
  40: { stix: 'SHA-1', misp: 'sha1' },
  64: { stix: 'SHA-256', misp: 'sha256' },
  128: { stix: 'SHA-512', misp: 'sha512' },
};

/** STIX pattern that finds the value; null where there is none: for hashes of another length. */
export function stixPattern({ type, value }: Named): string | null {
  const path = patternPath(type, value);
  if (path === null) return null;
  return `[${path} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}

function patternPath(type: EntityType, value: string): string | null {
  if (type === 'ip_address') return value.includes(':') ? 'ipv6-addr:value' : 'ipv4-addr:value';
  if (type !== 'hash') return patternPaths[type];
  const algorithm = hashes[value.length];
  return algorithm === undefined ? null : `file:hashes.'${algorithm.stix}'`;
}

export interface MispKind {
  readonly type: string;
  readonly category: string;
  /** Whether it is something to detect by: names of people, hosts and services are not. */
  readonly isIndicator: boolean;
}

const mispKinds: Readonly<Record<Exclude<EntityType, 'hash'>, MispKind>> = {
  ip_address: { type: 'ip-dst', category: 'Network activity', isIndicator: true },
  domain: { type: 'domain', category: 'Network activity', isIndicator: true },
  executable: { type: 'filename', category: 'Payload delivery', isIndicator: true },
  cmdline_file: { type: 'filename', category: 'Payload delivery', isIndicator: true },
  user: { type: 'target-user', category: 'Targeting data', isIndicator: false },
  computer: { type: 'target-machine', category: 'Targeting data', isIndicator: false },
  service: { type: 'windows-service-name', category: 'Artifacts dropped', isIndicator: false },
  task: { type: 'windows-scheduled-task', category: 'Artifacts dropped', isIndicator: false },
};

/** What the value is to MISP; null for hashes of another length. */
export function mispKind({ type, value }: Named): MispKind | null {
  if (type !== 'hash') return mispKinds[type];
  const algorithm = hashes[value.length];
  return algorithm === undefined ? null : { type: algorithm.misp, category: 'Payload delivery', isIndicator: true };
}
