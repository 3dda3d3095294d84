import { otherTactic, type Tactic } from '@svc/domain';
import { sentence } from './format.ts';

/** Short names for narrow places; the full ones are on hover. */
export const shortTactic: Readonly<Record<Tactic, string>> = {
  reconnaissance: 'Recon',
  resource_development: 'Res. dev.',
  initial_access: 'Init. access',
  execution: 'Execution',
  persistence: 'Persistence',
  privilege_escalation: 'Priv. esc.',
  defense_evasion: 'Def. evasion',
  credential_access: 'Cred. access',
  discovery: 'Discovery',
  lateral_movement: 'Lateral',
  collection: 'Collection',
  command_and_control: 'C2',
  exfiltration: 'Exfil.',
  impact: 'Impact',
};

/** A tactic as a reader writes it; what has none is `Other`. */
export function tacticName(group: string): string {
  return group === otherTactic ? 'Other' : sentence(group);
}

/** Its colour in the theme of the page. */
export function tacticColor(group: string): string {
  return group === otherTactic ? 'var(--informational-fill)' : `var(--tactic-${group})`;
}
