import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentOf, type SearchCondition } from './conditions.ts';
import { formatSearch, parseSearch, problemText } from './parse-search.ts';

const name = (text: string): SearchCondition => ({ key: 'name', text, isWildcard: text.includes('*') });
const digest = 'ab'.repeat(32);

/** Query, then its one spelling, then what each term asks. */
const understood: [string, string, SearchCondition[]][] = [
  ['', '', []],
  [' \n\t ', '', []],
  ['security', 'security', [name('security')]],
  ['Sec*.EVTX', 'Sec*.EVTX', [name('Sec*.EVTX')]],
  ['"my report"', '"my report"', [name('my report')]],
  ['"my report', '"my report"', [name('my report')]],
  ['a b\nc', 'a b c', [name('a'), name('b'), name('c')]],
  ['100%_', '100%_', [name('100%_')]],
  ['a,b', 'a,b', [name('a,b')]],
  ['a"b c"', 'a"b c"', [name('a"b'), name('c"')]],
  ['"a b"c', '"a b" c', [name('a b'), name('c')]],
  ['10:15', '10:15', [name('10:15')]],
  ['*other:value*', '*other:value*', [name('*other:value*')]],
  // No keys, so the whole is looked for in names (resolved-platform 12.2).
  ['other:value', 'other:value', [name('other:value')]],
  ['other:srv*', 'other:srv*', [name('other:srv*')]],
  ['"other:a b,c"', '"other:a b,c"', [name('other:a b,c')]],
  ['constructor:x', 'constructor:x', [name('constructor:x')]],
  ['C:\\logs', 'C:\\logs', [name('C:\\logs')]],
  ['-user.name:"a b"', '-user.name:"a b"', [name('user.name:"a'), name('b"')]],
  ['-', '-', [name('-')]],
  ['"-x"', '-x', [name('x')]],
  ['--x', '--x', [name('-x')]],
  ['-"--x"', '-"--x"', [name('-x')]],
  ['"a - b"', '"a - b"', [name('a - b')]],
  [
    'tag:Reviewed,"Two Words" x',
    'tag:reviewed,"two words" x',
    [{ key: 'tag', values: ['reviewed', 'two words'] }, name('x')],
  ],
  [`tag:${'é'.repeat(60)}`, `tag:${'é'.repeat(50)}`, [{ key: 'tag', values: ['é'.repeat(50)] }]],
  ['STATUS:Failed', 'status:failed', [{ key: 'status', values: ['failed'] }]],
  ['status:failed,failed', 'status:failed', [{ key: 'status', values: ['failed'] }]],
  ['"status:failed"', 'status:failed', [{ key: 'status', values: ['failed'] }]],
  ['"status:failed, partial"', 'status:failed,partial', [{ key: 'status', values: ['failed', 'partial'] }]],
  ['type:evtx,unknown', 'type:evtx,unknown', [{ key: 'type', values: ['evtx', 'unknown'] }]],
  [
    'workflow:"Windows events",all',
    'workflow:"Windows events",all',
    [{ key: 'workflow', values: ['Windows events', 'all'] }],
  ],
  ['workflow:"a,b"', 'workflow:"a,b"', [{ key: 'workflow', values: ['a,b'] }]],
  ['"workflow:my flow"', 'workflow:"my flow"', [{ key: 'workflow', values: ['my flow'] }]],
  ['sev:high', 'sev:high', [{ key: 'sev', values: ['high'] }]],
  ['severity:Critical,low', 'sev:critical,low', [{ key: 'sev', values: ['critical', 'low'] }]],
  ['tool:sigma', 'tool:sigma', [{ key: 'tool', values: ['sigma'] }]],
  ['findings:5', 'findings:5', [{ key: 'findings', values: [{ min: 5, max: 5 }] }]],
  ['findings:=05', 'findings:=5', [{ key: 'findings', values: [{ min: 5, max: 5 }] }]],
  ['findings:>5', 'findings:>5', [{ key: 'findings', values: [{ min: 6, max: null }] }]],
  ['findings:>=5', 'findings:>=5', [{ key: 'findings', values: [{ min: 5, max: null }] }]],
  ['findings:<5', 'findings:<5', [{ key: 'findings', values: [{ min: 0, max: 4 }] }]],
  ['findings:<=5', 'findings:<=5', [{ key: 'findings', values: [{ min: 0, max: 5 }] }]],
  ['findings:<0', 'findings:<0', [{ key: 'findings', values: [{ min: 0, max: -1 }] }]],
  [
    'findings:2..9,0',
    'findings:2..9,0',
    [
      {
        key: 'findings',
        values: [
          { min: 2, max: 9 },
          { min: 0, max: 0 },
        ],
      },
    ],
  ],
  ['after:24h', 'after:24h', [{ key: 'after', values: [{ agoMs: 86_400_000 }] }]],
  ['before:2W', 'before:2w', [{ key: 'before', values: [{ agoMs: 14 * 86_400_000 }] }]],
  ['after:2026-02-28', 'after:2026-02-28', [{ key: 'after', values: [{ at: '2026-02-28T00:00:00.000Z' }] }]],
  [
    'after:"2026-08-01 10:15"',
    'after:"2026-08-01 10:15"',
    [{ key: 'after', values: [{ at: '2026-08-01T10:15:00.000Z' }] }],
  ],
  ['id:007,12', 'id:7,12', [{ key: 'id', values: [7, 12] }]],
  [`hash:${digest.toUpperCase()},AB`, `hash:${digest},ab`, [{ key: 'hash', values: [digest, 'ab'] }]],
  ['host:WS01,"a b"', 'host:WS01,"a b"', [{ key: 'host', values: ['WS01', 'a b'] }]],
  ['user:CORP\\alice', 'user:CORP\\alice', [{ key: 'user', values: ['CORP\\alice'] }]],
  ['ip:10.0.0.5,FE80:0:0::1', 'ip:10.0.0.5,fe80::1', [{ key: 'ip', values: ['10.0.0.5', 'fe80::1'] }]],
  ['technique:t1059.001', 'technique:T1059.001', [{ key: 'technique', values: ['T1059.001'] }]],
  ['rule:mimikatz', 'rule:mimikatz', [{ key: 'rule', values: ['mimikatz'] }]],
  ['case:"Phish wave",7', 'case:"Phish wave",7', [{ key: 'case', values: ['Phish wave', '7'] }]],
  ['a or b', 'a or b', [name('a'), name('or'), name('b')]],
  ['a "OR" b', 'a "OR" b', [name('a'), name('OR'), name('b')]],
  ['a -OR b', 'a -OR b', [name('a'), name('OR'), name('b')]],
  ['a b  OR\nc', 'a b OR c', [name('a'), name('b'), name('c')]],
  ['sha256:A', 'sha256:a', [{ key: 'sha256', values: ['a'] }]],
  ['is:mine,Watched', 'is:mine,watched', [{ key: 'is', values: ['mine', 'watched'] }]],
  ['status:failed,', 'status:failed', [{ key: 'status', values: ['failed'] }]],
  ['\ud800x', '\ufffdx', [name('\ufffdx')]],
];

/** Terms that match nothing, and a word of the reason. */
const refused: [string, RegExp][] = [
  ['""', /empty/],
  ['-"  "', /empty/],
  ['status:', /^needs a value$/],
  ['tag:,,', /^needs a value$/],
  ['tag:"', /^needs a value$/],
  ['status:done', /“done” is no state of a job; use pending, .*failed or cancelled/],
  ['type:windows', /no type of log/],
  ['sev:info', /no severity; use critical, high, medium, low or informational/],
  ['is:new', /no property/],
  ['findings:many', /no amount; write/],
  ['findings:>1.5', /no amount/],
  ['findings:9..2', /backwards; write 2\.\.9/],
  ['findings:99999999999999999', /too large/],
  ['after:yesterday', /no time; write 24h/],
  ['after:2026-02-30', /no time/],
  ['after:2026-13-01', /no time/],
  ['after:0000-01-01', /no time/],
  ['after:"2026-08-01 24:00"', /no time/],
  ['before:99999999d', /hundred years/],
  ['id:0', /no number of a job/],
  ['id:2147483648', /no number of a job/],
  ['id:x', /no number of a job/],
  ['(host:a', /no parentheses/],
  ['OR', /between two terms/],
  ['ip:10.0.0.', /no address/],
  ['ip:10.0.0.256', /no address/],
  ['hash:xyz', /no hash/],
  ['technique:powershell', /no technique/],
  ['host:', /^needs a value$/],
  ['sha256:xyz', /no beginning of a SHA-256/],
  [`sha256:${digest}0`, /no beginning of a SHA-256/],
];

describe('a query', () => {
  it.each(understood)('%j is understood', (query, spelling, conditions) => {
    const parsed = parseSearch(query);
    expect(parsed.terms.map(({ condition }) => condition)).toEqual(conditions);
    expect(parsed.problems).toEqual([]);
    expect(formatSearch(parsed)).toBe(spelling);
  });

  it.each(refused)('%j is refused with a reason', (query, reason) => {
    const { terms, problems } = parseSearch(query);
    expect(terms).toMatchObject([{ condition: null, text: query }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ term: query, reason: expect.stringMatching(reason) });
  });

  it('negates any term, and twice is not at all', () => {
    const negated = (query: string): boolean[] => parseSearch(query).terms.map((term) => term.negated);
    expect(negated('-a -tag:x -"my report" "-a" a --a -')).toEqual([true, true, true, true, false, true, false]);
    expect(negated('-"-a" -"-tag:x,y"')).toEqual([false, false]);
  });

  it('drops values that are of no use, and says so, while one is', () => {
    const { terms, problems } = parseSearch('x status:done,failed,new');
    expect(terms[1]?.condition).toEqual({ key: 'status', values: ['failed'] });
    expect(problems.map(({ start, end, reason }) => [start, end, reason.slice(0, 6)])).toEqual([
      [2, 24, '“done”'],
      [2, 24, '“new” '],
    ]);
  });

  it('has 12 terms, and tells the further ones', () => {
    const { terms, problems } = parseSearch(`${'a '.repeat(12)}status:x b `);
    expect(terms).toHaveLength(12);
    expect(problems).toEqual([
      { start: 24, end: 34, term: 'status:x b', reason: 'ignored: a search has at most 12 terms' },
    ]);
    expect(parseSearch('a '.repeat(12)).problems).toEqual([]);
  });

  it('is met by any of the alternatives that OR parts', () => {
    const alternatives = (query: string): number[] => parseSearch(query).terms.map(({ alternative }) => alternative);
    expect(alternatives('a b OR c OR -d e')).toEqual([0, 0, 1, 2, 2]);
    // One that has no term beside it is itself a term, which cannot be used.
    expect(alternatives('OR a OR')).toEqual([0, 0, 0]);
    expect(alternatives('a OR OR b')).toEqual([0, 0, 0, 0]);
    expect(parseSearch('a OR').problems).toMatchObject([{ start: 2, end: 4, term: 'OR' }]);
    const long = parseSearch(`${'a OR '.repeat(11)}a OR b`);
    expect(long.terms).toHaveLength(12);
    expect(long.problems).toMatchObject([{ term: 'OR b', reason: 'ignored: a search has at most 12 terms' }]);
  });

  it('counts times back from the moment of the search', () => {
    const now = new Date('2026-08-02T00:00:00Z');
    expect(momentOf({ agoMs: 3_600_000 }, now).toISOString()).toBe('2026-08-01T23:00:00.000Z');
    expect(momentOf({ at: '2026-08-01T10:15:00.000Z' }, now).toISOString()).toBe('2026-08-01T10:15:00.000Z');
  });
});

const pieces = [
  [
    'tag:',
    'status:',
    'sev:',
    'findings:',
    'after:',
    'id:',
    'sha256:',
    'is:',
    'workflow:',
    'other:',
    'TYPE:',
    'host:',
    'ip:',
    ' OR ',
  ],
  ['failed', 'high', '>5', '24h', '2026-08-01', 'mine', '7', 'ab', '-', '"', ',', ' ', '\n', '\t', '*', ':', '\u0000'],
].flat();
const queries = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 40 })
    .map((list) => list.join('')),
);

describe('any text', () => {
  it('is read, and its terms with what is ignored cover all but the blanks', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const { terms, problems } = parseSearch(query);
        const spans = [...terms, ...problems.filter(({ reason }) => reason.startsWith('ignored'))];
        let end = 0;
        for (const span of spans) {
          expect(query.slice(end, span.start)).toMatch(/^[\s\p{Cc}]*(OR[\s\p{Cc}]*)?$/u);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(query.slice(end)).toMatch(/^[\s\p{Cc}]*$/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('has one spelling, which asks the same', () => {
    const asked = (query: string) =>
      parseSearch(query).terms.map(({ negated, condition, alternative }) =>
        condition === null ? { alternative } : { negated, condition, alternative },
      );
    fc.assert(
      fc.property(queries, (query) => {
        const spelled = formatSearch(parseSearch(query));
        expect(formatSearch(parseSearch(spelled))).toBe(spelled);
        expect(asked(spelled)).toEqual(asked(query));
      }),
      { numRuns: 2000 },
    );
  });

  it('tells why of every term that matches nothing', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const { terms, problems } = parseSearch(query);
        for (const term of terms.filter(({ condition }) => condition === null)) {
          expect(problems.some(({ start }) => start === term.start)).toBe(true);
        }
      }),
    );
  });
});

it('says what is wrong with a term once', () => {
  const said = (query: string) => parseSearch(query).problems.map(problemText);
  expect(said('tag:')).toEqual(['tag: needs a value']);
  expect(said('id:x')).toEqual(['id:x: “x” is no number of a job; write one like 42']);
});
