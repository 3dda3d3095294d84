import { foldedAddress } from '@svc/domain';
import type { DoorKind, DoorValue } from './door-value.ts';

/** Longer values, such as scripts, are found nowhere as a whole. */
const longest = 300;
/** The longest digest that stands alone or, as Sysmon writes them, behind its name. */
const digests = [128, 64, 40, 32].map((length) => new RegExp(`(?<![0-9a-f])[0-9a-f]{${length}}(?![0-9a-f])`, 'i'));

/** What fields of these names have; the first that fits. */
const kindsByName: readonly (readonly [RegExp, DoorKind])[] = [
  [/(image|processname|processpath|application|originalfilename|^exe|^comm)$/i, 'program'],
  [/(username|accountname|^user|sourceuser|targetuser|parentuser|^acct|^auid)$/i, 'user'],
  [/(queryname|hostname|^domain)$/i, 'domain'],
  [/(computer|computername|workstation|workstationname|^host)$/i, 'host'],
];

/** What a value of an event’s field opens; null where there is nothing to follow. */
export function doorOf(name: string, text: string): DoorValue | null {
  const value = text.trim();
  // Numbers and single signs are everywhere.
  if (value.length < 3 || value.length > longest || /^(?:0x)?[0-9a-f]{1,8}$/i.test(value)) return null;
  const [digest] = digests.flatMap((pattern) => pattern.exec(value)?.[0] ?? []);
  if (digest !== undefined) return { kind: 'hash', value: digest };
  const address = foldedAddress(value);
  if (address !== null) return { kind: 'ip', value: address };
  const kind = kindsByName.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
  if (kind === 'program') return { kind, value: value.split(/[\\/]/).at(-1)!.toLowerCase() };
  if (kind === 'domain') return value.includes('.') ? { kind, value } : { kind: 'host', value };
  return { kind, value };
}
