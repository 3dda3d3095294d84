import type { FindingRow, MatchedEvent } from '@svc/contracts';
import { techniquesOf } from '@svc/domain';

/** What rules of some techniques look for, as ATT&CK has them. */
const kinds: readonly (readonly [what: string, techniques: readonly string[]])[] = [
  ['clearing logs', ['T1070.001', 'T1070.002']],
  ['clearing a command history', ['T1070.003']],
  ['disabling security tools', ['T1562.001', 'T1562.009', 'T1562.010']],
  ['disabling audit or logging', ['T1562.002', 'T1562.003', 'T1562.006', 'T1562.008', 'T1562.012']],
  ['opening a firewall', ['T1562.004', 'T1562.007']],
  ['impairing defenses', ['T1562']],
  ['hindering recovery', ['T1490']],
];

/** What of clearing or switching off a rule looks for; null for other rules. */
export function switchedOffKind({ tags }: Pick<FindingRow, 'tags'>): string | null {
  const named = new Set(techniquesOf(tags));
  return kinds.find(([, techniques]) => techniques.some((one) => named.has(one)))?.[0] ?? null;
}

/** What the log itself says was cleared or switched off; null where only a rule says so. */
export function switchedOffBy({ channel, event_id: id, fields }: MatchedEvent): string | null {
  if (channel === 'Security' && id === '1102') return 'the Security log was cleared';
  if (channel === 'System' && id === '104') {
    const cleared = fields['Channel'];
    const named = typeof cleared === 'string' && cleared !== '' && cleared !== 'System';
    return named ? `the log ${cleared} was cleared` : 'a log was cleared';
  }
  if (channel === 'Security' && id === '4719') return 'the audit policy was changed';
  if (channel === 'Microsoft-Windows-Windows Defender/Operational' && id === '5001') {
    return 'Defender’s real-time protection was switched off';
  }
  return null;
}
