import type { Tactic } from '@svc/domain';

/** Short names for narrow places; the full ones are on hover. */
export const shortTactic: Readonly<Record<Tactic, string>> = {
  reconnaissance: 'Recon',
  resource_development: 'Resources',
  initial_access: 'Init. access',
  execution: 'Execution',
  persistence: 'Persistence',
  privilege_escalation: 'Priv. esc.',
  defense_evasion: 'Def. evasion',
  stealth: 'Stealth',
  defense_impairment: 'Def. impair.',
  credential_access: 'Cred. access',
  discovery: 'Discovery',
  lateral_movement: 'Lateral',
  collection: 'Collection',
  command_and_control: 'C2',
  exfiltration: 'Exfiltration',
  impact: 'Impact',
};
