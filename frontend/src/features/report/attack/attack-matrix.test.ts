import { expect, it } from 'vitest';
import { attackMatrix, matrixTotals } from './attack-matrix.ts';
import { byTactic } from '../findings/narrow-findings.ts';
import { findingRow } from '../testing/finding-row.ts';

const finding = (id: number, count: number, ...tags: string[]) => findingRow(id, { count, tags });
const findings = [
  finding(1, 5, 'attack.execution', 'attack.t1059.001', 'attack.persistence'),
  finding(2, 2, 'attack.execution', 'attack.t1059', 'attack.t1059.001', 'attack.t1059.001'),
  finding(3, 7, 'attack.t1003'),
  finding(4, 1, 'attack.execution', 'detection.threat-hunting'),
  finding(5, 9, 'cve.2021-44228'),
];

it('counts every finding under each of its tactics and techniques, and once', () => {
  const columns = attackMatrix(findings);
  expect(columns.map(({ tactic, rules, events }) => [tactic, rules, events])).toEqual([
    ['execution', 3, 8],
    ['persistence', 1, 5],
    ['credential_access', 1, 7],
  ]);
  expect(columns[0]?.cells).toEqual([
    { technique: '', rules: 1, events: 1, isNamed: true },
    { technique: 'T1059', rules: 1, events: 2, isNamed: true },
    { technique: 'T1059.001', rules: 2, events: 7, isNamed: true },
  ]);
  // ATT&CK does not give PowerShell that tactic.
  expect(columns[1]?.cells).toEqual([{ technique: '', rules: 1, events: 5, isNamed: true }]);
  // The rule names no tactic, ATT&CK does.
  expect(columns[2]?.cells).toEqual([{ technique: 'T1003', rules: 1, events: 7, isNamed: false }]);
  expect(matrixTotals(columns)).toEqual({ techniques: 3, most: 7 });
  expect(attackMatrix([])).toEqual([]);
});

it('agrees with the strip of tactics on what rules name', () => {
  const named = findings.filter(({ id }) => id !== 3);
  const strip = byTactic(named).filter(({ events }) => events > 0);
  const columns = attackMatrix(named);
  expect(columns.map(({ tactic, rules, events }) => ({ tactic, rules, events }))).toEqual(strip);
});
