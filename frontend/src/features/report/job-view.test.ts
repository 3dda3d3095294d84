import { describe, expect, it } from 'vitest';
import { isFiltered, jobView, toggled } from './job-view.ts';

describe('jobView', () => {
  it('reads an address', () => {
    expect(
      jobView({
        finding: '901',
        tab: 'rule',
        severity: 'low,critical',
        tactic: 'impact',
        technique: 't1059.001',
        q: 'a b',
        comment: '12',
        dup: '1',
      }),
    ).toEqual({
      finding: 901,
      tab: 'rule',
      severity: ['critical', 'low'],
      tactic: 'impact',
      technique: 'T1059.001',
      q: 'a b',
      comment: 12,
      dup: true,
    });
  });

  it('drops what makes no sense', () => {
    expect(
      jobView({
        finding: '-1',
        tab: 'x',
        severity: 'awful',
        tactic: 'cooking',
        technique: 'T1',
        q: '',
        comment: 'x',
        dup: 'no',
      }),
    ).toEqual({});
  });

  it('takes its own output', () => {
    const view = jobView({ finding: 3, severity: ['high'], host: 'WS01', dup: true });
    expect(jobView({ ...view })).toEqual(view);
  });

  it('takes and leaves a severity, in their order', () => {
    expect(toggled(undefined, 'low')).toEqual({ severity: ['low'] });
    expect(toggled(['low'], 'critical')).toEqual({ severity: ['critical', 'low'] });
    expect(toggled(['critical', 'low'], 'critical')).toEqual({ severity: ['low'] });
    expect(toggled(['low'], 'low')).toEqual({ severity: undefined });
  });

  it('knows what narrows the findings', () => {
    expect(isFiltered({ finding: 3, tab: 'rule' })).toBe(false);
    expect(isFiltered({ q: 'x' })).toBe(true);
    expect(isFiltered({ host: 'WS01' })).toBe(true);
  });
});
