import { OutboundError } from '../ports/outbound-http.ts';
import { describe, expect, it } from 'vitest';
import { checkWebhook } from './check-webhook.ts';
import { validateAlertRule, type AlertRuleDraft } from './validate-alert-rule.ts';

const draft: AlertRuleDraft = {
  name: 'Night watch',
  description: '',
  key: null,
  isShared: false,
  scope: 'entity',
  query: 'dc01',
  entityTypes: [],
  actionTags: [],
  notifies: true,
  webhook: { url: null, method: 'POST', headers: {}, enabled: false },
  tellsOfWatchedJobs: false,
};
const facts = {
  lists: new Set(['lolbas']),
  checkUrl: (url: string) => {
    if (!url.startsWith('http')) throw new OutboundError('bad_url', 'only http and https');
  },
};
const codes = (over: Partial<AlertRuleDraft>, more = {}): string[] =>
  validateAlertRule({ ...draft, ...over }, { ...facts, ...more }).problems.map(({ code }) => code);

describe('a rule', () => {
  it.each<[string, Partial<AlertRuleDraft>, string[]]>([
    ['needs a name', { name: ' ' }, ['name_required']],
    ['has a name of 120 characters, whatever their size', { name: '😀'.repeat(120) }, []],
    ['has no longer name', { name: '😀'.repeat(121) }, ['name_too_long']],
    ['has no long description', { description: 'x'.repeat(501) }, ['description_too_long']],
    ['that is shared needs a key', { isShared: true }, ['key_invalid']],
    ['that is shared has a key of small letters', { isShared: true, key: 'Night' }, ['key_invalid']],
    ['that is shared is fine with one', { isShared: true, key: 'night_watch' }, []],
    ['looks at entities or jobs', { scope: 'cases' }, ['scope_invalid']],
    ['can say so as it is shown', { scope: 'Jobs', query: 'is:clean' }, []],
    ['names types that there are', { entityTypes: ['user', 'spirit'] }, ['entity_type_unknown']],
    ['on jobs has no types', { scope: 'job', query: '', entityTypes: ['spirit'] }, []],
    ['has no long condition', { query: 'x'.repeat(501) }, ['query_too_long']],
    ['on entities names no jobs', { query: 'job:1 tag:x' }, ['job_term_not_allowed']],
    ['names no jobs either where these are none', { query: '-job:x tag:x' }, ['job_term_not_allowed']],
    ['has no patterns under OR', { query: 're:/a/ OR tag:x' }, ['query_invalid']],
    ['is told each term that cannot be used', { query: 'type:spirit tag:x cidr:no' }, ['term_error', 'term_error']],
    ['on jobs is told the same', { scope: 'job', query: 'sev:none status:odd' }, ['term_error', 'term_error']],
    ['asks for lists that there are', { query: 'list:lolbas list:gtfobins' }, ['unknown_list']],
    ['gives tags that can be', { actionTags: [{ name: 'a,b', color: 'red' }] }, ['tag_invalid']],
    [
      'gives ten tags',
      { actionTags: Array.from({ length: 11 }, (_, index) => ({ name: `t${index}`, color: 'red' })) },
      ['tags_too_many'],
    ],
    ['tells of watched jobs where it has somebody to tell', { tellsOfWatchedJobs: true }, ['webhook_url_invalid']],
  ])('%s', (_what, over, expected) => {
    expect(codes(over)).toEqual(expected);
  });

  it('is told all reasons at once, in their order, with the place of each term', () => {
    const all = { ...draft, name: '', isShared: true, scope: 'entity', entityTypes: ['spirit'] };
    const webhook = { url: 'ftp://x', method: 'GET', headers: '{"Host": "x"}', enabled: true };
    const query = 'tag:x\njob:7 re:/a/ OR type:spirit list:none';
    const { problems } = validateAlertRule({ ...all, query, webhook }, { ...facts, exceeds: 50 });
    expect(problems.map(({ code }) => code)).toEqual([
      'name_required',
      'key_invalid',
      'entity_type_unknown',
      'job_term_not_allowed',
      'query_invalid',
      'term_error',
      'unknown_list',
      'webhook_url_invalid',
      'webhook_method_invalid',
      'webhook_headers_invalid',
      'rule_limit',
    ]);
    const placed = problems.flatMap(({ start, end }) => (start === undefined ? [] : [query.slice(start, end)]));
    expect(placed).toEqual(['job:7', 're:/a/', 'type:spirit', 'list:none']);
  });

  it('is kept in its one spelling', () => {
    const { definition, problems } = validateAlertRule(
      { ...draft, name: ' Night ', entityTypes: ['User', 'user'], actionTags: [{ name: ' Prio/1 ', color: 'RED' }] },
      facts,
    );
    expect(problems).toEqual([]);
    expect(definition).toMatchObject({
      name: 'Night',
      entityTypes: ['user'],
      actionTags: [{ name: 'prio/1', color: 'red' }],
    });
  });

  it('says that it matches everything when it does', () => {
    expect(validateAlertRule({ ...draft, query: ' \n ' }, facts).warnings).toEqual(['matches_everything']);
    expect(validateAlertRule(draft, facts).warnings).toEqual([]);
  });
});

describe('a webhook', () => {
  const check = (over: object) =>
    checkWebhook({ url: 'https://soc.example', method: 'POST', headers: {}, enabled: true, ...over }, facts.checkUrl);

  it.each<[unknown, Record<string, string | number>]>([
    ['', {}],
    [undefined, {}],
    ['{"X-Team": "blue", "X-Level": 3}', { 'X-Team': 'blue', 'X-Level': 3 }],
    [{ 'X-Team': 'blå' }, { 'X-Team': 'blå' }],
    ['{"__proto__": "x"}', JSON.parse('{"__proto__": "x"}') as Record<string, string>],
  ])('has the headers %j', (headers, expected) => {
    expect(check({ headers })).toMatchObject({ problems: [] });
    expect(Object.entries(check({ headers }).webhook.headers)).toEqual(Object.entries(expected));
  });

  it.each([
    ['[]'],
    ['null'],
    ['{'],
    ['"text"'],
    [{ 'X-Team': true }],
    [{ 'X-Team': null }],
    [{ 'X-Team': { a: 1 } }],
    [{ 'X-Team': 'a\r\nX-Other: b' }],
    [{ 'X-Team': 'a\nb' }],
    [{ 'X-Team': '→' }],
    [{ 'X Team': 'a' }],
    [{ '': 'a' }],
    [{ 'X-A': '1', 'x-a': '2' }],
    [{ 'X-Team': 'x'.repeat(2000) }],
    ...['Host', 'content-LENGTH', 'Transfer-Encoding', 'Connection', 'Expect', 'Upgrade', 'Content-Type', 'TE'].map(
      (name): [object] => [{ [name]: 'x' }],
    ),
    ...['Trailer', 'Proxy-Authorization', 'Keep-Alive'].map((name): [object] => [{ [name]: 'x' }]),
  ])('does not have the headers %j', (headers) => {
    expect(check({ headers }).problems.map(({ code }) => code)).toEqual(['webhook_headers_invalid']);
  });

  it('is off without an address', () => {
    expect(check({ url: ' ' })).toEqual({
      webhook: { url: null, method: 'POST', headers: {}, enabled: false, template: null },
      problems: [],
    });
  });

  it('has one of three methods, in whatever case', () => {
    expect(check({ method: 'patch' }).webhook.method).toBe('PATCH');
    expect(check({ method: 'DELETE' }).problems.map(({ code }) => code)).toEqual(['webhook_method_invalid']);
  });
});
