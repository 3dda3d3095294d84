import type { FindingRow } from '@svc/contracts';
import type { Severity } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { findingRow } from '../testing/finding-row.ts';
import { bySeverity, byTactic, grouped, narrowed, stepped } from './narrow-findings.ts';

const finding = (id: number, severity: Severity, count: number, ...tags: string[]) =>
  findingRow(id, { severity, count, tags });

const findings = [
  finding(1, 'critical', 2, 'attack.execution', 'attack.t1059.001'),
  finding(2, 'high', 5, 'attack.execution', 'attack.defense-evasion', 'attack.t1218'),
  finding(3, 'low', 100, 'attack.discovery', 'cve.2021.1'),
];
const ids = (rows: readonly FindingRow[]) => rows.map(({ id }) => id);

describe('findings', () => {
  it.each([
    [{}, [1, 2, 3]],
    [{ severity: ['critical', 'low'] }, [1, 3]],
    [{ tactic: 'defense_evasion' }, [2]],
    [{ technique: 'T1059' }, [1]],
    [{ technique: 'T1059.001' }, [1]],
    [{ technique: 'T1218.011' }, []],
    [{ q: 'number rule-2' }, [2]],
    [{ q: 'CVE.2021' }, [3]],
    [{ severity: ['high'], q: 'discovery' }, []],
  ] as const)('are narrowed by %j', (view, expected) => {
    expect(ids(narrowed(findings, view))).toEqual(expected);
  });

  it('are grouped worst first, without empty groups', () => {
    const groups = grouped(findings.toReversed());
    expect(groups.map(({ severity, events }) => [severity, events])).toEqual([
      ['critical', 2],
      ['high', 5],
      ['low', 100],
    ]);
  });

  it('are grouped by their first tactic, in the order of ATT&CK', () => {
    const groups = grouped([...findings, finding(4, 'low', 1)], 'tactic');
    expect(groups.map(({ key, severity, findings: within }) => [key, severity, ids(within)])).toEqual([
      ['execution', 'critical', [1, 2]],
      ['discovery', 'low', [3]],
      ['_other', 'low', [4]],
    ]);
  });

  it('at the very same times are one row, in the place of the first', () => {
    const at = (id: number, first: string | null, count = 1, last = first) =>
      findingRow(id, { severity: 'high', count, first_seen: first, last_seen: last });
    const rows = [
      at(1, '2026-08-01T10:00:00.001Z', 2, '2026-08-01T11:00:00Z'),
      at(2, '2026-08-01T10:00:00.001Z'),
      at(3, '2026-08-01T10:00:00.002Z'),
      at(4, null),
      at(5, '2026-08-01T10:00:00.001Z', 2, '2026-08-01T11:00:00Z'),
      at(6, null),
      at(7, '2026-08-01T10:00:00.001Z', 3, '2026-08-01T11:00:00Z'),
    ];
    const [group] = grouped(rows);
    expect(group?.rows.map(ids)).toEqual([[1, 5], [2], [3], [4], [6], [7]]);
    // What the keys walk through, and what is exported, is in the order shown.
    expect([ids(group!.findings), group?.events]).toEqual([[1, 5, 2, 3, 4, 6, 7], 11]);
    expect(grouped([rows[0]!, { ...rows[4]!, severity: 'low' }]).map((one) => one.rows.map(ids))).toEqual([
      [[1]],
      [[5]],
    ]);
  });

  it('come in another order within their groups', () => {
    const seen = ['2026-01-03T00:00:00Z', null, '2026-01-01T00:00:00Z'];
    const named = findings.map((row, index) => ({
      ...row,
      severity: 'high' as const,
      rule_name: `Rule ${3 - index}`,
      first_seen: seen[index]!,
    }));
    const order = (by: 'count' | 'name' | 'time') => ids(grouped(named, undefined, by)[0]!.findings);
    expect([order('count'), order('name'), order('time')]).toEqual([
      [3, 2, 1],
      [3, 2, 1],
      [3, 1, 2],
    ]);
  });

  it('count in each of their tactics', () => {
    const counts = new Map(byTactic(findings).map(({ tactic, rules, events }) => [tactic, [rules, events]]));
    expect(counts.get('execution')).toEqual([2, 7]);
    expect(counts.get('defense_evasion')).toEqual([1, 5]);
    expect(counts.get('impact')).toEqual([0, 0]);
    expect([...counts.keys()][0]).toBe('reconnaissance');
  });

  it('are counted by severity', () => {
    expect(bySeverity(findings)).toEqual({ critical: 1, high: 1, medium: 0, low: 1, informational: 0 });
  });

  it('are walked without leaving the list', () => {
    expect(stepped(findings, 1, 1)?.id).toBe(2);
    expect(stepped(findings, 1, -1)?.id).toBe(1);
    expect(stepped(findings, 3, 1)?.id).toBe(3);
    expect(stepped(findings, undefined, 1)?.id).toBe(1);
    expect(stepped([], 1, 1)).toBeUndefined();
  });
});
