import { describe, expect, it } from 'vitest';
import { tactics, tacticsOf } from '../tactics.ts';
import attack from './attack.json' with { type: 'json' };
import { attackPlaces, techniqueName, techniqueNow, techniquesOf, techniqueTitle } from './techniques.ts';

describe('techniques of rules', () => {
  it('have the id of one version, whichever the rule was written for', () => {
    expect(
      techniquesOf(['attack.t1086', 'attack.T1059.001', 'attack.t1685', 'attack.execution', 'cve.2021-1']),
    ).toEqual(['T1059.001', 'T1562.001']);
    expect(techniqueNow('T9999')).toBe('T9999');
  });

  it('have names', () => {
    expect(techniqueTitle('T1110.001')).toBe('T1110.001 Brute Force: Password Guessing');
    expect(techniqueTitle('T1685')).toBe('T1685');
    expect(techniqueName('T1059')).toBe('Command and Scripting Interpreter');
    expect(techniqueName('constructor')).toBeUndefined();
  });

  it('stand under the tactics of their rule that ATT&CK gives them', () => {
    const tags = ['attack.execution', 'attack.persistence', 'attack.t1059.001', 'attack.t1053.005'];
    expect(attackPlaces(tags)).toEqual([
      { tactic: 'execution', technique: 'T1059.001' },
      { tactic: 'execution', technique: 'T1053.005' },
      { tactic: 'persistence', technique: 'T1053.005' },
    ]);
    expect(attackPlaces(['attack.impact', 'attack.t1003'])).toEqual([
      { tactic: 'credential_access', technique: 'T1003' },
      { tactic: 'impact', technique: '' },
    ]);
    expect(attackPlaces(['attack.t1003'])).toEqual([{ tactic: 'credential_access', technique: 'T1003' }]);
    expect(attackPlaces(['attack.impact', 'attack.t9999'])).toEqual([{ tactic: 'impact', technique: 'T9999' }]);
    expect(attackPlaces(['attack.t9999'])).toEqual([{ tactic: '_other', technique: 'T9999' }]);
    expect(attackPlaces(['attack.discovery'])).toEqual([{ tactic: 'discovery', technique: '' }]);
    expect(attackPlaces(['car.2013'])).toEqual([]);
  });

  it('leads from every other id to one that this version has, under tactics that are known', () => {
    for (const [old, now] of Object.entries(attack.renamed)) {
      expect(attack.techniques).toHaveProperty([now]);
      expect(attack.techniques).not.toHaveProperty([old]);
    }
    for (const { tactics: given } of Object.values(attack.techniques)) {
      expect(given.length).toBeGreaterThan(0);
      expect(tactics).toEqual(expect.arrayContaining(given));
    }
  });
});

it('takes what a tactic was split into for that tactic', () => {
  expect(tacticsOf(['attack.stealth', 'attack.defense-impairment'])).toEqual(['defense_evasion']);
});
