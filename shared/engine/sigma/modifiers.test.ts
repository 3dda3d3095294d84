import { describe, expect, it } from 'vitest';
import { holdsFor, refusal, ruleOf } from '../testing/rule-check.ts';

type Value = string | number | boolean | null | readonly string[];

/** One item of a detection against the values of a record's fields. */
function item(text: string, field: Value, other?: Value): boolean {
  const data = { Field: field, ...(other !== undefined && { Other: other }) };
  return holdsFor(`s:\n  ${text}\ncondition: s`, data);
}

/** Base64 as another program would write it. */
function encoded(text: string, encoding: BufferEncoding = 'utf8'): string {
  return Buffer.from(text, encoding).toString('base64');
}

describe('modifiers (1.4)', () => {
  it.each([
    // contains, startswith and endswith: a wildcard where there is none yet.
    ['Field|contains: b', 'aBc', true],
    ['Field|contains: b', 'ac', false],
    ['Field|contains: "*b*"', 'abc', true],
    ['Field|contains: "a*c"', 'xabcx', true],
    ["Field|contains: ''", 'x', true],
    ["Field|contains: ''", '', true],
    ["Field|contains: '\\*'", 'a*b', true],
    ["Field|contains: '\\*'", 'ab', false],
    ["Field|contains: '\\\\'", 'a\\b', true],
    ['Field|contains: 46', 4624, true],
    ['Field|contains: true', 'untrue', true],
    ['Field|startswith: ab', 'ABc', true],
    ['Field|startswith: b', 'abc', false],
    ["Field|startswith: ''", 'x', true],
    ['Field|startswith: "a*c"', 'abcd', true],
    ["Field|startswith: 'a\\\\'", 'a\\b', true],
    ['Field|endswith: bc', 'aBC', true],
    ['Field|endswith: b', 'abc', false],
    ["Field|endswith: ''", 'x', true],
    ["Field|endswith: '\\cmd.exe'", 'C:\\Windows\\CMD.EXE', true],
    ["Field|endswith: '\\cmd.exe'", 'C:\\Windows\\xcmd.exe', false],
    ["Field|endswith: 'a?'", 'xab', true],
    // all: every one of the list, wherever all stands in the chain.
    ['Field|contains|all: [a, b]', 'b a', true],
    ['Field|all|contains: [a, b]', 'b a', true],
    ['Field|contains|all: [a, b]', 'b', false],
    ['Field|endswith|all: [bc, c]', 'abc', true],
    // re: a search, case-sensitive unless flagged.
    ['Field|re: b.d', 'abcde', true],
    ['Field|re: B.D', 'abcde', false],
    ['Field|re|i: B.D', 'abcde', true],
    ['Field|re|ignorecase: B.D', 'abcde', true],
    ['Field|re: ^bc', 'abc', false],
    ['Field|re: ^b', 'a\nb', false],
    ['Field|re|m: ^b', 'a\nb', true],
    ['Field|re|multiline: ^b', 'a\nb', true],
    ['Field|re: a.b', 'a\nb', false],
    ['Field|re|s: a.b', 'a\nb', true],
    ['Field|re|dotall: a.b', 'a\nb', true],
    ['Field|re|i|m|s: ^B.C', 'a\nb\nc', true],
    ['Field|re|contains: ^bc', 'abc', false],
    ['Field|re|startswith: b|c', 'cab', true],
    ['Field|re|startswith: b|c', 'acb', false],
    ['Field|re|endswith: b|c', 'abc', true],
    ['Field|re|endswith: b|c', 'bca', false],
    ["Field|re|endswith: '(?i)B'", 'ab', true],
    ['Field|exists: yes', 'x', true],
    ['Field|exists: no', 'x', false],
    ['Field|re: \\d{4}', 4624, true],
    ["Field|re: ''", 'x', true],
    ['Field|re|all: [a, b]', 'ab', true],
    ['Field|re|all: [a, b]', 'a', false],
    ['Field|re|neq: a', 'b', true],
    // cidr
    ['Field|cidr: 10.0.0.0/8', '10.255.255.255', true],
    ['Field|cidr: 10.0.0.0/8', '11.0.0.0', false],
    ['Field|cidr: [10.0.0.0/8, 192.168.0.0/16]', '192.168.1.1', true],
    ['Field|cidr: 10.0.0.0/8', '-', false],
    ['Field|cidr: 10.0.0.0/8', '', false],
    // cased
    ['Field|cased: Abc', 'Abc', true],
    ['Field|cased: Abc', 'abc', false],
    ['Field|contains|cased: B', 'aBc', true],
    ['Field|contains|cased: B', 'abc', false],
    ['Field|cased|startswith: "A?"', 'Abc', true],
    ['Field|cased|startswith: "A?"', 'abc', false],
    ['Field|cased|endswith: ä', 'xÄ', false],
    ['Field|contains|windash|cased: " -A"', 'x /A', true],
    ['Field|contains|windash|cased: " -A"', 'x /a', false],
    ['Field|cased: 5', '5', true],
    // exists: presence, whatever the value.
    ['Field|exists: true', 'x', true],
    ['Field|exists: true', '', true],
    ['Field|exists: false', 'x', false],
    ['Field|exists: false', '', false],
    // lt, lte, gt, gte: numbers with numbers.
    ['Field|lt: 10', 9, true],
    ['Field|lt: 10', 10, false],
    ['Field|lte: 10', 10, true],
    ['Field|lte: 10', 11, false],
    ['Field|gt: 10', 11, true],
    ['Field|gt: 10', 10, false],
    ['Field|gte: 10', 10, true],
    ['Field|gte: 10', 9, false],
    ['Field|gt: 9', '10', true],
    ['Field|gt: 10', '0x10', true],
    ['Field|gt: 0x10', '17', true],
    ['Field|lt: 1.5', '1.25', true],
    ['Field|gt: -1', '-0.5', true],
    ['Field|lt: 10', 'nine', false],
    ['Field|lt: 10', '', false],
    ['Field|lt: 10', '9 times', false],
    ['Field|gte: [5, 100]', 7, true],
    ['Field|gte|all: [5, 100]', 7, false],
    // neq: not the whole item.
    ['Field|neq: a', 'b', true],
    ['Field|neq: a', 'A', false],
    ['Field|neq: [a, b]', 'b', false],
    ['Field|neq: [a, b]', 'c', true],
    ['Field|contains|neq: a', 'xax', false],
    ['Field|neq|contains: a', 'xbx', true],
    ['Field|contains|all|neq: [a, b]', 'a', true],
    ['Field|contains|all|neq: [a, b]', 'ab', false],
    ['Field|neq: null', 'x', true],
    ['Field|neq: null', '', false],
    ["Field|neq: ''", '', false],
    ['Field|gt|neq: 5', 6, false],
    ['Field|cidr|neq: 10.0.0.0/8', 'text', true],
  ] as const)('%s against %j: %s', (text, value, expected) => {
    expect(item(text, value)).toBe(expected);
  });
});

describe('windash', () => {
  it.each([
    ['Field|windash: -a', '/a', true],
    ['Field|windash: -a', '–a', true],
    ['Field|windash: -a', '—a', true],
    ['Field|windash: -a', '―a', true],
    ['Field|windash: -a', '-A', true],
    ['Field|windash: /a', '-a', true],
    ['Field|windash: -a', '+a', false],
    ['Field|windash: -a', '‐a', false],
    // Each dash independently, and only those that begin a word.
    ['Field|windash: -a /b', '/a –b', true],
    ['Field|windash: a-b', 'a/b', false],
    ['Field|windash: a-b', 'a-b', true],
    ['Field|windash: --a', '-/a', true],
    ['Field|windash: --a', '//a', false],
    ['Field|windash: a -', 'a /', false],
    ['Field|windash: a - b', 'a / b', false],
    ['Field|windash: "x=-a"', 'x=/a', true],
    ['Field|windash: "x\\\\-a"', 'x\\/a', true],
    ['Field|windash: "*-a"', 'y /a', true],
    ['Field|windash: "-*a"', '/xa', false],
    ['Field|windash|contains: " -enc"', 'p.exe /Enc x', true],
    ['Field|contains|windash: " -enc"', 'p.exe —enc x', true],
    ['Field|contains|windash: " -enc"', 'p.exe enc x', false],
    ['Field|endswith|windash: -s', 'x /s', true],
    ['Field|startswith|windash: -s', '/s x', true],
    // In a list each value is any of its variants; with all, each of them must be met.
    ['Field|contains|windash|all: [" -a", " -b"]', 'x /b –a', true],
    ['Field|contains|windash|all: [" -a", " -b"]', 'x /b', false],
    ['Field|contains|windash: [" -a", " -b"]', 'x /b', true],
  ])('%s against %j: %s', (text, value, expected) => {
    expect(item(text, value)).toBe(expected);
  });
});

describe('encodings', () => {
  it.each([
    ['Field|base64: foobar', encoded('foobar'), true],
    ['Field|base64: foob', encoded('foob'), true],
    ['Field|base64: foobar', encoded('foobaz'), false],
    ['Field|base64: Jürgen', encoded('Jürgen'), true],
    ["Field|base64: ''", '', true],
    ["Field|base64: 'a\\*b'", encoded('a*b'), true],
    ['Field|base64|contains: foo', `x ${encoded('foo bar')} y`, true],
    ['Field|base64|startswith: foo', encoded('foobar'), true],
    ['Field|base64|cased: foobar', encoded('foobar'), true],
    ['Field|base64|cased: foobar', encoded('foobar').toLowerCase(), false],
    ['Field|base64: foobar', encoded('foobar').toLowerCase(), true],
    ['Field|base64: 4624', encoded('4624'), true],
    ['Field|wide|base64: foobar', encoded('foobar', 'utf16le'), true],
    ['Field|utf16le|base64: foobar', encoded('foobar', 'utf16le'), true],
    ['Field|utf16be|base64: foobar', Buffer.from('foobar', 'utf16le').swap16().toString('base64'), true],
    ['Field|utf16|base64: foobar', encoded('\ufefffoobar', 'utf16le'), true],
    ['Field|wide|base64: foobar', encoded('foobar'), false],
    ['Field|wide|base64|contains: 😀', `a${encoded('😀', 'utf16le')}`, true],
    ['Field|windash|base64: -a', encoded('/a'), true],
    ['Field|windash|base64: -a', encoded('-a'), true],
    ['Field|windash|base64: -a', encoded('+a'), false],
    ['Field|base64|all|contains: [foobar, barfoo]', encoded('foobar') + encoded('barfoo'), true],
    ['Field|base64|all|contains: [foobar, barfoo]', encoded('foobar'), false],
    ['Field|wide: ab', 'a\u0000b\u0000', true],
  ])('%s against %j: %s', (text, value, expected) => {
    expect(item(text, value)).toBe(expected);
  });

  it.each(['ab', 'abc', 'abcd', 'powershell', 'Jürgen', '😀 x'])(
    'base64offset finds %j at every place in what was encoded',
    (text) => {
      for (let before = 0; before < 7; before++) {
        for (let after = 0; after < 4; after++) {
          const found = encoded(`${'#'.repeat(before)}${text}${'#'.repeat(after)}`);
          // The last characters of a short text depend on what follows, so only what is certain is asked for.
          expect(item(`Field|base64offset|contains: '${text}'`, found)).toBe(true);
          expect(item(`Field|base64offset|contains|cased: '${text}'`, found)).toBe(true);
        }
      }
      expect(item(`Field|base64offset|contains|cased: '${text}'`, encoded('something else!'))).toBe(false);
    },
  );

  it('base64offset counts bytes, not characters, of what wide made, too', () => {
    for (let before = 0; before < 6; before++) {
      const bytes = Buffer.concat([Buffer.alloc(before, 1), Buffer.from('New-Object', 'utf16le'), Buffer.alloc(3, 2)]);
      expect(item('Field|wide|base64offset|contains|cased: New-Object', bytes.toString('base64'))).toBe(true);
      expect(item('Field|base64offset|contains|cased: New-Object', bytes.toString('base64'))).toBe(false);
    }
  });

  it('base64offset alone is one of its three variants', () => {
    for (const variant of ['Zm9vYmFy', 'Zvb2Jhc', 'mb29iYX'])
      expect(item('Field|base64offset: foobar', variant)).toBe(true);
    expect(item('Field|base64offset: foobar', 'xZm9vYmFy')).toBe(false);
  });
});

describe('fieldref', () => {
  it.each([
    ['Field|fieldref: Other', 'x', 'X', true],
    ['Field|fieldref: other', 'x', 'x', true],
    ['Field|fieldref: Other', 'x', 'y', false],
    ['Field|fieldref: Other', '', '', true],
    ['Field|fieldref|cased: Other', 'x', 'X', false],
    ['Field|fieldref|cased: Other', 'X', 'X', true],
    ['Field|fieldref|contains: Other', 'axb', 'X', true],
    ['Field|contains|fieldref: Other', 'axb', 'X', true],
    ['Field|fieldref|contains: Other', 'X', 'axb', false],
    ['Field|fieldref|startswith: Other', 'xab', 'X', true],
    ['Field|fieldref|startswith: Other', 'axb', 'X', false],
    ['Field|fieldref|endswith: Other', 'abx', 'X', true],
    ['Field|fieldref|endswith: Other', 'axb', 'X', false],
    ['Field|fieldref: [Missing, Other]', 'x', 'x', true],
    ['Field|fieldref|neq: Other', 'x', 'x', false],
    ['Field|fieldref|neq: Other', 'x', 'y', true],
    ['Field|fieldref|neq: Missing', 'x', 'y', true],
    // A star in the other field's value is a star.
    ['Field|fieldref: Other', 'xyz', 'x*', false],
    ['Field|fieldref: Other', 'b', ['a', 'b'], true],
    ['Field|fieldref: Channel', 'Application', 'x', true],
  ])('%s of %j and %j: %s', (text, value, other, expected) => {
    expect(item(text, value, other)).toBe(expected);
  });
});

describe('parts of dates', () => {
  it.each([
    ['Field|minute: 7', '2024-02-29T23:07:09Z', true],
    ['Field|hour: 23', '2024-02-29T23:07:09.123456Z', true],
    ['Field|hour: 23', '2024-02-29 23:07:09', true],
    ['Field|hour: 23', '2024-02-29T23:07:09+05:00', true],
    ['Field|hour: 22', '2024-02-29T23:07:09Z', false],
    ['Field|hour|gte: 20', '2024-02-29T23:07:09Z', true],
    ['Field|hour|lt: 8', '2024-02-29T23:07:09Z', false],
    ['Field|hour: [1, 23]', '2024-02-29T23:07:09Z', true],
    ['Field|day: 29', '2024-02-29T23:07:09Z', true],
    ['Field|day: 29', '2024-02-29', true],
    ['Field|week: 9', '2024-02-29T23:07:09Z', true],
    ['Field|week: 53', '2021-01-03T00:00:00Z', true],
    ['Field|week: 1', '2024-12-30T00:00:00Z', true],
    ['Field|week: 52', '2023-01-01T00:00:00Z', true],
    ['Field|month: 2', '2024-02-29T23:07:09Z', true],
    ['Field|year: 2024', '2024-02-29T23:07:09Z', true],
    ['Field|year|gt: 2024', '2024-02-29T23:07:09Z', false],
    ['Field|hour|neq: 23', '2024-02-29T23:07:09Z', false],
    // Seconds, milliseconds, and FILETIME since 1970 and 1601.
    ['Field|hour: 23', '1709248029', true],
    ['Field|hour: 23', 1709248029, true],
    ['Field|minute: 7', '1709248029123', true],
    ['Field|year: 2024', '133537216291230000', true],
    ['Field|minute: 7', '133537216291230000', true],
    ['Field|hour: 23', '133537216291230000', true],
    ['Field|hour: 23', 'yesterday', false],
    ['Field|hour: 0', '', false],
    ['Field|hour: 0', '12345', false],
    ['Field|day: 45', '2024-02-45', false],
  ] as const)('%s against %j: %s', (text, value, expected) => {
    expect(item(text, value)).toBe(expected);
  });
});

describe('chains that the table does not allow', () => {
  it.each([
    ['Field|regex: a', 'unknown modifier regex'],
    ['Field|Contains: a', 'unknown modifier Contains'],
    ['Field|: a', 'unknown modifier'],
    ['Field|contains|contains: a', 'twice'],
    ['Field|contains|startswith: a', 'cannot be combined'],
    ['Field|startswith|endswith: a', 'cannot be combined'],
    ['Field|i: a', 'must follow re'],
    ['Field|contains|i: a', 'must follow re'],
    ['Field|i|re: a', 'must follow re'],
    ['Field|re|windash: a', 'cannot be combined'],
    ['Field|re|base64: a', 'cannot be combined'],
    ['Field|re|cased: a', 'cannot be combined'],
    ['Field|re|cidr: a', 'cannot be combined'],
    ["Field|re: '('", 'regular expression'],
    ["Field|re: 'a++'", 'possessive'],
    ["Field|re: '(?>a)'", 'atomic'],
    ['Field|cidr|contains: 10.0.0.0/8', 'cannot be combined'],
    ['Field|cidr: 10.0.0.0/33', 'not a network'],
    ['Field|cidr: "10.*"', 'not a network'],
    ['Field|cidr: text', 'not a network'],
    ['Field|cidr: null', 'cannot be null'],
    ['Field|base64|base64offset: a', 'cannot be combined'],
    ["Field|base64: 'a*'", 'wildcards'],
    ["Field|base64offset|contains: 'a?'", 'wildcards'],
    ['Field|base64offset|contains: a', 'two bytes'],
    ["Field|base64offset|contains: ''", 'two bytes'],
    ["Field|wide: 'a*'", 'wildcards'],
    ['Field|contains|base64: a', 'must stand before'],
    ['Field|base64|wide: a', 'must stand before'],
    ['Field|base64|windash: -a', 'must stand before'],
    ['Field|contains|wide|base64: a', 'must stand before'],
    ['Field|wide|utf16be|base64: a', 'cannot be combined'],
    ['Field|exists: yes please', 'true or false'],
    ['Field|exists: 1', 'true or false'],
    ['Field|exists: [true]', 'true or false'],
    ['Field|exists|neq: true', 'no other modifier'],
    ['Field|exists|all: true', 'no other modifier'],
    ['Field|lt|gt: 1', 'cannot be combined'],
    ['Field|lt|contains: 1', 'cannot be combined'],
    ['Field|lt: text', 'needs a number'],
    ['Field|lt: true', 'needs a number'],
    ['Field|lt: null', 'needs a number'],
    ["Field|lt: ''", 'needs a number'],
    ['Field|minute|hour: 1', 'cannot be combined'],
    ['Field|hour|contains: 1', 'cannot be combined'],
    ['Field|hour: late', 'needs a number'],
    ["Field|fieldref: 'Oth*'", 'no plain name'],
    ["Field|fieldref: ''", 'no plain name'],
    ['Field|fieldref: null', 'cannot be null'],
    ['Field|fieldref|re: a', 'cannot be combined'],
    ['Field|fieldref|windash: a', 'cannot be combined'],
    ['Field|contains: null', 'cannot be null'],
    ['Field|windash: null', 'cannot be null'],
    ["'|exists': true", 'needs a field'],
    ["'|cidr': 10.0.0.0/8", 'needs a field'],
    ["'|lt': 1", 'needs a field'],
    ["'|hour': 1", 'needs a field'],
    ["'|fieldref': Other", 'needs a field'],
  ])('%s: %s', (text, reason) => {
    const refused = refusal(ruleOf(`s:\n  ${text}\ncondition: s`));
    expect(refused?.message).toContain(reason);
    expect(refused?.line).toBe(5);
  });
});
