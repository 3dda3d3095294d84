import { describe, expect, it } from 'vitest';
import { evidenceOf, headlineOf, pieces, valueText } from './evidence.ts';
import type { RuleTerm } from './read-rule.ts';

const term = (field: string | null, comparison: RuleTerm['comparison'], ...values: string[]): RuleTerm => ({
  field,
  comparison,
  anyDash: false,
  values,
});
const marked = (text: string, of: RuleTerm) => {
  const { lead, rest } = evidenceOf({ Field: text }, [of]);
  const field = [...lead, ...rest][0]!;
  return pieces(field.text, field.marks).flatMap((piece) => (piece.marked ? [piece.text] : []));
};

describe('evidence', () => {
  it('puts matched fields first, then named, then telling ones, then the rest as it stands', () => {
    const fields = {
      Version: 5,
      User: 'a',
      ParentImage: 'b',
      CommandLine: 'whoami /all',
      Image: 'C:\\whoami.exe',
      Zeta: 1,
      Alpha: 2,
    };
    const terms = [term('ParentImage', 'endswith', '\\explorer.exe'), term('Image', 'endswith', '\\whoami.exe')];
    const { lead, rest } = evidenceOf(fields, terms);
    expect(lead.map(({ name }) => name)).toEqual(['Image', 'ParentImage', 'CommandLine', 'User']);
    expect(lead.map(({ matched }) => matched)).toEqual([true, false, false, false]);
    expect(rest.map(({ name }) => name)).toEqual(['Version', 'Zeta', 'Alpha']);
  });

  it('says most of an event with its command line', () => {
    const evidence = evidenceOf({ Image: 'x.exe', CommandLine: 'x -y' }, [term('Image', 'equals', 'x.exe')]);
    expect(headlineOf(evidence)?.text).toBe('x -y');
    expect(headlineOf(evidenceOf({ Zeta: 1 }, []))).toBeUndefined();
  });

  it.each([
    ['contains', 'powershell -ENC abc', ['-enc'], ['-ENC']],
    ['startswith', 'C:\\Temp\\x', ['c:\\temp'], ['C:\\Temp']],
    ['startswith', 'X C:\\Temp', ['c:\\temp'], []],
    ['endswith', 'C:\\a\\cmd.exe', ['\\cmd.exe', '\\sh.exe'], ['\\cmd.exe']],
    ['endswith', 'cmd.exe /c', ['cmd.exe'], []],
    ['equals', 'High', ['high'], ['High']],
    ['equals', 'Higher', ['high'], []],
    ['equals', 'net user add', ['net*add'], ['net', 'add']],
    ['equals', 'a.b', ['a?b'], ['a', 'b']],
    ['contains', 'really? yes', ['really\\?'], ['really?']],
    ['contains', 'a\\b', ['a\\\\b'], ['a\\b']],
    ['other', 'anything', ['any'], []],
  ] as const)('marks what %s finds in %s', (comparison, text, values, expected) => {
    expect(marked(text, term('Field', comparison, ...values))).toEqual(expected);
  });

  it('joins marks that overlap, and searches every field for keywords', () => {
    expect(marked('mimikatz', term(null, 'contains', 'mimi', 'ikatz'))).toEqual(['mimikatz']);
  });

  it('takes a dash for a slash only where the rule does', () => {
    const dashed = { ...term('Field', 'contains', ' -query'), anyDash: true };
    expect(marked('reg /query x', dashed)).toEqual([' /query']);
    expect(marked('reg /query x', { ...dashed, anyDash: false })).toEqual([]);
  });

  it('counts a field as matched when it cannot show how', () => {
    const { lead } = evidenceOf({ Ip: '10.0.0.1' }, [term('ip', 'other', '10.0.0.0/8')]);
    expect(lead[0]).toMatchObject({ name: 'Ip', matched: true, marks: [] });
  });

  it('shows values verbatim', () => {
    expect(valueText(4624)).toBe('4624');
    expect(valueText(['a', 'b'])).toBe('a\nb');
    expect(valueText({ a: 1 })).toBe('{"a":1}');
    expect(valueText(null)).toBe('null');
  });
});
