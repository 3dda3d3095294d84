import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caretIn, fixedChoices, suggestKeys, suggestValues } from './complete-search.ts';

/** Query with its caret as `|`. */
function caret(marked: string): ReturnType<typeof caretIn> {
  return caretIn(marked.replace('|', ''), marked.indexOf('|'));
}

function inserts(marked: string): string[] {
  const at = caret(marked);
  const choices = at.key === null ? [] : (fixedChoices(at.key) ?? [{ value: 'Two words', detail: '' }]);
  return (at.key === null ? suggestKeys(at) : suggestValues(at, choices)).map(({ insert }) => insert);
}

describe('completion', () => {
  it.each([
    ['status:fa|', { start: 0, end: 9, prefix: 'status:', suffix: '', key: 'status', typed: 'fa' }],
    ['a status:fa|iled b', { start: 2, end: 15, prefix: 'status:', suffix: '', key: 'status', typed: 'fa' }],
    ['a |', { start: 2, end: 2, prefix: '', suffix: '', key: null, typed: '' }],
    ['a| b', { start: 0, end: 1, prefix: '', suffix: '', key: null, typed: 'a' }],
    [
      '-SEVERITY:high,lo|w,"x y"',
      { start: 0, end: 24, prefix: '-sev:high,', suffix: ',"x y"', key: 'sev', typed: 'lo' },
    ],
    ['workflow:"my f|', { start: 0, end: 14, prefix: 'workflow:', suffix: '', key: 'workflow', typed: 'my f' }],
    ['"workflow:my f|"', { start: 0, end: 15, prefix: 'workflow:', suffix: '', key: 'workflow', typed: 'my f' }],
    ['-"st|at', { start: 0, end: 6, prefix: '-', suffix: '', key: null, typed: 'st' }],
    ['st|atus:failed', { start: 0, end: 13, prefix: '', suffix: 'failed', key: null, typed: 'st' }],
  ])('knows what the caret of %j stands on', (marked, expected) => {
    expect(caret(marked)).toEqual(expected);
  });

  it('offers keys until there is one', () => {
    expect(inserts('-s|')).toEqual(['-status:', '-sev:', '-sha256:']);
    expect(inserts('|')).toHaveLength(21);
    expect(inserts('st|atus:failed')).toEqual(['status:failed']);
    expect(inserts('nothing|')).toEqual([]);
  });

  it('offers values, those that begin as typed first, and keeps the rest of the term', () => {
    expect(inserts('status:c|')).toEqual(['status:completed', 'status:cancelled']);
    expect(inserts('sev:|')).toHaveLength(5);
    expect(inserts('status:an|')).toEqual(['status:cancelled']);
    expect(inserts('-is:mine,cl|')).toEqual(['-is:mine,clean']);
    expect(inserts('workflow:w|,b')).toEqual(['workflow:"Two words",b']);
    expect(inserts('type:u|')).not.toContain('type:unknown');
    expect(inserts('findings:>|')[0]).toBe('findings:>0');
    expect(inserts('after:|')).toContain('after:24h');
    const meaningOf = (key: 'after' | 'before') => fixedChoices(key)?.[0]?.detail;
    expect([meaningOf('after'), meaningOf('before')]).toEqual(['the last hour', 'longer ago than an hour']);
    expect([inserts('id:1|'), inserts('sha256:a|'), inserts('hash:a|'), inserts('host:w|')]).toEqual([[], [], [], []]);
  });

  it('takes any text and any place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, position) => {
        const { start, end } = caretIn(text, position);
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
