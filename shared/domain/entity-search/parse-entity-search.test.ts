import { describe, expect, it } from 'vitest';
import { meetsEntitySearch, type SearchedEntity } from './meets-search.ts';
import { parseEntitySearch, type EntitySearchNode } from './parse-entity-search.ts';

const now = new Date('2026-08-01T12:00:00Z');

function entity(value: string, more: Partial<SearchedEntity> = {}): SearchedEntity {
  return { type: 'domain', value, tags: [], attributes: [], ...more };
}

function meets(query: string, value: string | SearchedEntity): boolean | null {
  const { root, isRefused } = parseEntitySearch(query);
  const one = typeof value === 'string' ? entity(value) : value;
  return isRefused ? null : root === null || meetsEntitySearch(root, one, now);
}

/** A query as its structure: terms as typed, `all`, `any` and `not` in parentheses. */
function shape(query: string): string {
  const show = (node: EntitySearchNode): string => {
    if (node.kind === 'term') return `${node.term.negated ? '-' : ''}${node.term.text.replace(/^-/, '')}`;
    return `${node.kind}(${[node.of].flat().map(show).join(' ')})`;
  };
  const { mode, root } = parseEntitySearch(query);
  return `${mode} ${root === null ? '' : show(root)}`;
}

function reasons(query: string): string[] {
  return parseEntitySearch(query).problems.map(({ start, end, term, reason }) => {
    expect(query.slice(start, end)).toBe(term);
    return reason;
  });
}

describe('how a query is read', () => {
  it.each([
    ['powershell -enc', 'phrase powershell -enc'],
    ['  two words ', 'phrase two words'],
    ['powershell (encoded)', 'phrase powershell (encoded)'],
    ['this or that', 'phrase this or that'],
    ['http://a.example/x:y', 'phrase http://a.example/x:y'],
    ['', 'phrase '],
    ['tag:c2 evil', 'conjunction all(tag:c2 evil)'],
    ['powershell -"enc"', 'conjunction all(powershell -"enc")'],
    ['TYPE:user\nadmin', 'conjunction all(TYPE:user admin)'],
    ['-tag:c2', 'conjunction -tag:c2'],
    ['in:(a, b) x', 'conjunction all(in:(a, b) x)'],
    ['re:/a b(c)/ x', 'conjunction all(re:/a b(c)/ x)'],
    ['"a (b) OR c"', 'conjunction "a (b) OR c"'],
    ['a OR b c', 'boolean any(a all(b c))'],
    ['a AND b OR c', 'boolean any(all(a b) c)'],
    ['(a OR b) AND tag:c', 'boolean all(any(a b) tag:c)'],
    ['-(a OR b) c', 'boolean all(not(any(a b)) c)'],
    ['tag:a (b c)', 'boolean all(tag:a all(b c))'],
    ['tag:a ((b))', 'boolean all(tag:a b)'],
    ['(tag:a OR type:ip)-x', 'boolean all(any(tag:a type:ip) -x)'],
    ['tag:a OR"b c"', 'conjunction all(tag:a OR"b c")'],
  ])('%j is %j', (query, expected) => expect(shape(query)).toBe(expected));

  it('has two minuses cancel out', () => {
    expect(meets('-"-tag:x"', entity('v', { tags: ['x'] }))).toBe(true);
    expect(meets('"-tag:x"', entity('v', { tags: ['x'] }))).toBe(false);
  });
});

describe('what terms find', () => {
  it.each([
    ['host', 'SVCHOST.exe', true],
    ['100%_', 'a100%_b', true],
    ['100%_', 'a100xxb', false],
    ['admin*', 'sqladmin1', true],
    ['^admin*', 'sqladmin1', false],
    ['^admin*', 'admin1', true],
    ['*example$', 'a.example', true],
    ['*example$', 'example.org', false],
    ['^a*a$', 'a', false],
    ['^a*a$', 'aba', true],
    ['e*l*x', 'evil.example', true],
    ['x*e*v', 'evil.example', false],
    ['^text', '^text', true],
    ['in:(EVIL.example,b)', 'evil.example', true],
    ['in:(evil.exampl)', 'evil.example', false],
    ['re:/^evil\\.[a-z]+$/', 'EVIL.example', true],
    ['re:/a\\/b/', 'xa/by', true],
    ['-re:/^evil/', 'evil.example', false],
    ['-evil "x"', 'x.example', true],
    ['type:domain,ip', 'x', true],
    ['type:exe', 'x', false],
    ['-type:exe', 'x', true],
  ])('%j in %j: %j', (query, value, expected) => expect(meets(query, value)).toBe(expected));

  it('finds tags by name and by namespace, and labels as either', () => {
    const one = entity('x', { tags: ['apt/28', 'two words'], attributes: ['dga'] });
    for (const query of [
      'tag:apt/',
      'tag:other,APT/28',
      '"tag:two words"',
      'label:dga',
      'label:apt/28',
      'attr:dga',
      'attr:priv,dga',
    ])
      expect([query, meets(query, one)]).toEqual([query, true]);
    for (const query of ['tag:apt', 'attr:lolbin', 'label:lolbin', '-tag:apt/'])
      expect([query, meets(query, one)]).toEqual([query, false]);
  });

  it('finds addresses by network, whatever is written of its host part', () => {
    const v4 = entity('10.1.2.3', { type: 'ip_address' });
    const v6 = entity('fe80::1', { type: 'ip_address' });
    expect(
      ['cidr:10.9.9.9/8', 'cidr:192.0.2.0/24,10.1.2.3', 'cidr:0.0.0.0/0', 'cidr:::ffff:10.0.0.0/104'].map((q) =>
        meets(q, v4),
      ),
    ).toEqual([true, true, true, true]);
    expect(meets('cidr:10.1.2.4/31', v4)).toBe(false);
    expect(['cidr:fe80::/10', 'cidr:0.0.0.0/0', 'cidr:::/0', 'cidr:2001:db8::/32'].map((q) => meets(q, v6))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(meets('-cidr:10.0.0.0/8', 'a.example')).toBe(true);
  });

  it('finds times and amounts', () => {
    const one = entity('x', {
      lastSeenAt: new Date('2026-07-30T10:00:00Z'),
      firstSeenAt: new Date('2026-07-01T00:00:00Z'),
      jobCount: 4,
    });
    for (const query of [
      'seen:<7d',
      'seen:7d',
      'seen:2026-07-30',
      'seen:>=2026-07-30',
      'seen:<=2026-07-30',
      'seen:1d..7d',
      'first:>4w',
      'first:2026-06-01..2026-07-01',
      'jobs:3..10',
      'jobs:1,4',
      'jobs:>3',
      'seen:>2026-07-29',
    ])
      expect([query, meets(query, one)]).toEqual([query, true]);
    for (const query of [
      'seen:>7d',
      'seen:<2026-07-30',
      'seen:>2026-07-30',
      'first:<4w',
      'first:2026-06-01..2026-06-30',
      'jobs:<4',
    ])
      expect([query, meets(query, one)]).toEqual([query, false]);
  });

  it('cannot tell what is not known, negated or not', () => {
    for (const query of ['job:1', '-job:1', 'list:a', 'is:watched', 'seen:<7d'])
      expect([query, meets(query, 'x')]).toEqual([query, null]);
  });

  it('takes the other side of an OR where one is of no use', () => {
    expect([
      meets('attr:nothing OR evil', 'evil'),
      meets('attr:nothing OR evil', 'x'),
      meets('-(attr:nothing type:domain)', 'x'),
    ]).toEqual([true, null, null]);
  });
});

describe('what cannot be used', () => {
  it.each([
    ['type:file', '“file” is no type of entity; use user, computer'],
    ['attr:evil', '“evil” is no attribute; there are rfc1918'],
    ['tag: x', 'needs a value'],
    ['job:1,x', '“x” is no number of a job'],
    ['cidr:10.0.0.0/33', '“10.0.0.0/33” is no network'],
    [`cidr:${Array(17).fill('10.0.0.1').join()}`, 'takes 16 networks'],
    [`in:(${Array.from({ length: 21 }, (_, at) => at).join()})`, 'takes 20 values at most; put more into a list'],
    ['in:(a,b', 'has no closing parenthesis'],
    ['in:a', 'needs values in parentheses'],
    ['re:/a', 'the regular expression has no end'],
    ['re:/(?=a)/', 'cannot be used as a regular expression: it looks ahead'],
    ['re:/(a)\\1/', 'it refers back to a group'],
    ['re:/(?<n>a)/', 'groups begin with ( or (?: only'],
    ['re:/\\pL/', 'of letters after a backslash'],
    ['re:/[[:alpha:]]/', 'named sets'],
    ['re:/(a/', 'unterminated group'],
    ['re:/a{1,999}/', 'nothing repeats more than 255 times'],
    ['re:/((a{255}){255}){255}/', 'written out without {}, it has more than 5000 parts'],
    ['re:/(a{99}b){60}/', 'written out without {}, it has more than 5000 parts'],
    [`re:/${'a'.repeat(201)}/`, 'has 200 characters at most'],
    ['re:/a/ re:/b/ re:/c/', 'at most 2 regular expressions'],
    ['re:/a/ OR b', 'cannot stand on one side of OR'],
    ['list:a,b', 'takes one list'],
    ['list:a-b', 'is no name of a list'],
    ['seen:soon', '“soon” is no time'],
    ['jobs:5..3', 'runs backwards'],
    ['is:evil', '“evil” is nothing that is: knows; use watched, mine, allowlisted'],
    ['tag:a OR', 'OR stands between two terms'],
    ['AND tag:a', 'AND stands between two terms'],
    ['tag:a (b', 'this parenthesis is not closed'],
    ['tag:a) b', 'there is no group that this parenthesis closes'],
    ['"" tag:a', 'the quotes are empty'],
  ])('%j: %s', (query, reason) => {
    expect(reasons(query).join('\n')).toContain(reason);
    // Readers see the term before it.
    expect(reasons(query).join('\n')).not.toMatch(/^[a-z]+:/m);
  });

  it('is told once beyond twelve terms, and of groups that are too deep', () => {
    expect(reasons(`tag:a ${'b '.repeat(20)}`)).toEqual(['ignored: a search has at most 12 terms']);
    const deep = parseEntitySearch(`tag:a ${'('.repeat(9)}b OR c${')'.repeat(9)} OR d`);
    expect([deep.terms.map(({ text }) => text), deep.problems.map(({ reason }) => reason)]).toEqual([
      ['tag:a', 'd'],
      ['ignored: groups stand 8 deep at most'],
    ]);
  });

  it('never throws, and keeps every place within the text', () => {
    const pieces = [
      'a',
      '"',
      '(',
      ')',
      '-',
      ' ',
      'tag:',
      're:/',
      '/',
      'in:(',
      ',',
      '\\',
      'OR',
      ' AND ',
      '[',
      ']',
      '*',
      '\u0000',
      '\uD800',
      'cidr:1',
      '{',
      '^',
    ];
    let seed = 7;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    for (let run = 0; run < 3000; run += 1) {
      const query = Array.from({ length: next() % 14 }, () => pieces[next() % pieces.length]).join('');
      const { root, terms, problems } = parseEntitySearch(query);
      for (const { start, end } of [...terms, ...problems])
        expect(0 <= start && start <= end && end <= query.length).toBe(true);
      if (root !== null) meetsEntitySearch(root, entity('a(b) [c]'), now);
    }
  });
});
