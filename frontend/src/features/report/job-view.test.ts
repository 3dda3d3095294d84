import { describe, expect, it } from 'vitest';
import { changed, hasValue, isFiltered, jobView, readValue, toggledValue, writtenValue } from './job-view.ts';

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
        hide: 'reviewed',
        comment: '12',
        at: '1785578400000',
        lanes: 'host',
        dup: '1',
      }),
    ).toEqual({
      finding: 901,
      at: 1_785_578_400_000,
      lanes: 'host',
      tab: 'rule',
      severity: ['critical', 'low'],
      tactic: 'impact',
      technique: 'T1059.001',
      q: 'a b',
      hide: 'reviewed',
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
        at: '',
        lanes: 'rule',
        q: '',
        hide: 'all',
        comment: 'x',
        dup: 'no',
      }),
    ).toEqual({});
  });

  it('takes its own output', () => {
    const view = jobView({ finding: 3, severity: ['high'], host: 'WS01', dup: true });
    expect(jobView({ ...view })).toEqual(view);
  });

  it('forgets the moment within a finding when another is chosen', () => {
    const view = { finding: 3, at: 1000, host: 'WS01' };
    expect(changed(view, { finding: 4 })).toEqual({ finding: 4, host: 'WS01' });
    expect(changed(view, { finding: 4, at: 2000 })).toEqual({ finding: 4, at: 2000, host: 'WS01' });
    expect(changed(view, { tab: 'rule' })).toEqual({ ...view, tab: 'rule' });
  });

  it('asks for values and keeps them out, one of both, whatever they are', () => {
    const value = { kind: 'program', value: '100% a,b.exe' } as const;
    expect(readValue(writtenValue(value))).toEqual(value);
    const only = toggledValue({}, 'only', value);
    expect(jobView({ only: String(only.only) })).toEqual({ only: [writtenValue(value)] });
    expect(hasValue(only, 'only', { ...value, value: '100% A,B.EXE' })).toBe(true);
    const not = toggledValue({ ...only, not: ['host:WS01'] }, 'not', value);
    expect(not).toEqual({ only: undefined, not: ['host:WS01', writtenValue(value)] });
    expect(toggledValue(not, 'not', value)).toEqual({ only: undefined, not: ['host:WS01'] });
    expect(jobView({ only: 'colour:red,host:,x', not: 'user:' })).toEqual({});
    expect(isFiltered({ not: ['host:WS01'] })).toBe(true);
  });

  it('knows what narrows the findings', () => {
    expect(isFiltered({ finding: 3, tab: 'rule' })).toBe(false);
    expect(isFiltered({ q: 'x' })).toBe(true);
    expect(isFiltered({ host: 'WS01' })).toBe(true);
    expect(isFiltered({ hide: 'reviewed' })).toBe(true);
  });
});
