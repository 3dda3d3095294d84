import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { AppError, type Actor } from '@svc/domain';
import { writeDocument } from '@svc/engine';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportAlertRules } from './export-alert-rules.ts';
import { importAlertRules } from './import-alert-rules.ts';
import { listAlertRules } from './list-alert-rules.ts';
import { readRuleDocument } from './read-rule-document.ts';
import { changeAlertRule, createAlertRule } from './save-alert-rule.ts';
import { createRuleList } from './write-rule-list.ts';
import { operations } from '@svc/contracts';

let test: TestPorts;
let member: Actor;
let admin: Actor;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(async () => {
  await test.reset();
  [member, admin] = [await account('member'), await account('admin')];
});
afterAll(() => test?.close());

async function account(role: 'member' | 'admin'): Promise<Actor> {
  const email = `${role}@example.org`;
  const { id } = await test.ports.accounts.create({ email, passwordHash: 'plain:x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '' };
}

const take = (who: Actor, yaml_text: string, over: object = {}) =>
  importAlertRules(test.ports, who, { yaml_text, as_shared: false, dry_run: false, ...over });
const written = async (who: Actor) => new TextDecoder().decode(await exportAlertRules(test.ports, who));
/** What is said against a document. */
const refusal = async (who: Actor, text: string, over: object = {}): Promise<string[]> => {
  const error: unknown = await take(who, text, over).then(
    (done) => done,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`taken: ${JSON.stringify(error)}`);
  return [error.code, ...(error.reasons ?? []).map(({ message }) => message)];
};

const example = `lists:
  - name: crown_jewels
    match: exact
    description: Hosts that need a call at night
    values: [dc01, SQL-prod-1]
rules:
  - key: night_watch
    name: Night watch
    description: Logons touching the crown jewels
    scope: entity
    entity_types: [computer]
    criteria: 'list:crown_jewels -tag:reviewed'
    tags: [{name: prio/1, color: red}, reviewed-later]
    notify: true
    enabled: false
    webhook:
      url: https://hooks.example/soc
      headers: {X-Team: blue, X-Level: 5}
  - name: Failed jobs
    scope: job
    condition: status:failed
`;

describe('a document', () => {
  it('says first what would become of it, and then is taken', async () => {
    const planned = await take(admin, example, { as_shared: true, dry_run: true });
    expect(await written(admin)).toBe('rules: []\n');
    expect(planned).toEqual({
      created: 2,
      updated: 0,
      lists_created: 1,
      lists_updated: 0,
      as_own: 1,
      warnings: [],
      changes: [
        { kind: 'list', name: 'crown_jewels', is_shared: true, change: 'created' },
        { kind: 'rule', name: 'Night watch', is_shared: true, change: 'created' },
        { kind: 'rule', name: 'Failed jobs', is_shared: false, change: 'created' },
      ],
    });
    expect(await take(admin, example, { as_shared: true })).toEqual(planned);
    const { shared, mine } = await listAlertRules(test.ports, admin);
    expect(shared).toMatchObject([
      {
        key: 'night_watch',
        query: 'list:crown_jewels -tag:reviewed',
        entity_types: ['computer'],
        action_tags: [
          { name: 'prio/1', color: 'red' },
          { name: 'reviewed-later', color: 'gray' },
        ],
        action_notify: true,
        enabled: false,
        webhook_enabled: true,
        webhook_url: 'https://hooks.example/soc',
        webhook_headers: { 'X-Team': 'blue', 'X-Level': 5 },
        has_secret: false,
      },
    ]);
    expect(mine).toMatchObject([{ name: 'Failed jobs', scope: 'job', action_notify: false, enabled: true, key: null }]);
    const again = await take(admin, example.replace('notify: true', 'notify: false'), { as_shared: true });
    expect(again).toMatchObject({ created: 0, updated: 2, lists_updated: 1 });
    expect(again.changes.map(({ change }) => change)).toEqual(['unchanged', 'updated', 'unchanged']);
  });

  it('is one’s own unless an administrator says otherwise, by the names of one’s rules', async () => {
    const rule = (name: string, criteria: string) => `rules: [{name: ${name}, key: same, criteria: '${criteria}'}]`;
    await take(admin, rule('Mine', 'admins'));
    await take(member, rule('Mine', 'members'));
    expect(await take(member, rule('MINE', 'type:user'))).toMatchObject({ created: 0, updated: 1 });
    expect((await listAlertRules(test.ports, member)).mine).toMatchObject([
      { name: 'MINE', query: 'type:user', key: null },
    ]);
    expect((await listAlertRules(test.ports, admin)).mine).toMatchObject([{ name: 'Mine', query: 'admins' }]);
    expect(await refusal(member, rule('a', 'b'), { as_shared: true })).toEqual(['forbidden']);
  });

  it('comes back as it went, without secrets and sources', async () => {
    const made = { is_shared: false, webhook_secret: 'hush', clear_secret: false };
    const { rule } = await createAlertRule(test.ports, admin, {
      ...made,
      name: 'Told',
      webhook_url: 'https://hooks.example/x',
    });
    await changeAlertRule(test.ports, admin, { ...made, id: rule.id, notify_job_watch: true });
    const list = { name: 'feed', match: 'suffix', values: '.tk', source_url: 'https://feeds.example/secret' };
    await createRuleList(test.ports, admin, operations.createRuleList.body.parse(list));
    const first = await written(admin);
    expect(first).not.toMatch(/hush|secret|feeds|watch/);
    await take(admin, first, { as_shared: true });
    expect(await written(admin)).toBe(first);
    // What a document does not say stays.
    const { mine } = await listAlertRules(test.ports, admin);
    expect(mine).toMatchObject([{ notify_job_watch: true, has_secret: true }]);
    expect(await written(member)).toBe('rules: []\n');
  });

  it('of 500 rules comes back the same, byte for byte', async () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { numRuns: 500, seed: 19 });
    const rules = texts.map((text, nth) => ({
      key: `rule_${nth}`,
      name: `${nth} ${text}`,
      description: text,
      ...(nth % 5 === 0
        ? { scope: 'job', criteria: 'status:failed' }
        : { criteria: nth % 7 === 0 ? 'type:user\n-"admin: x"' : `re:/^x${nth}\\b#'"/` }),
      tags: [{ name: 'yes', color: 'red' }, `${nth}`, 'null'],
      notify: nth % 2 === 0,
      enabled: nth % 3 === 0,
      ...(nth % 4 === 0 && {
        webhook: { url: `https://hooks.example/${nth}`, headers: { 'X-N': nth, 'X-T': `${nth}` } },
      }),
    }));
    const parts = (entries: readonly string[]) =>
      [0, 200, 400].map((from) => `rules:\n${entries.slice(from, from + 200).join('')}`);
    for (const from of [0, 200, 400]) {
      await take(admin, writeDocument({ rules: rules.slice(from, from + 200) }), { as_shared: true });
    }
    const first = await written(admin);
    const entries = first.split(/^(?= {2}- key: )/m).slice(1);
    expect(entries).toHaveLength(500);
    await test.reset();
    const another = await account('admin');
    for (const part of parts(entries)) await take(another, part, { as_shared: true });
    expect(await written(another)).toBe(first);
  }, 120_000);
});

describe('a document is refused', () => {
  const deep = (levels: number) => `rules: ${'['.repeat(levels)}${']'.repeat(levels)}`;
  it.each<[string, string, RegExp]>([
    ['that is no YAML', 'rules:\n  - name: "a', /^Not readable as YAML: .* \(line \d\)$/],
    ['with a key twice', 'rules:\n  - name: a\n    name: b', /^Not readable as YAML: duplicated? .* \(line 3\)$/],
    ['with an alias', 'lists: []\nrules:\n  - &x {name: a}\n  - *x', /^Aliases are refused \(line 4\)$/],
    ['that is deep', `# x\n${deep(40)}`, /^Not readable as YAML: .*nesting.* \(line 2\)$/],
    ['of many parts', `rules: [${'x,'.repeat(100_001)}x]`, /^There are more than 100000 parts \(line 1\)$/],
    ['of several documents', 'rules: []\n---\nrules: []', /^There is more than one document \(line 3\)$/],
    ['with a tag of another language', 'rules: !!js/function x', /^Not readable as YAML: .* \(line 1\)$/],
    ['that is a list', '- a', /^The document must have the keys lists and rules \(line 1\)$/],
    ['whose rules are none', 'rules: 5', /^rules must be a list \(line 1\)$/],
    [
      'with too many rules',
      `rules: [${'{},'.repeat(201)}]`,
      /^There are 201 rules; a document has 200 at most \(line 1\)$/,
    ],
    ['with too many lists', `lists: [${'{},'.repeat(51)}]`, /^There are 51 lists; a document has 50 at most/],
    [
      'with text where a switch is',
      'rules:\n  - name: a\n    notify: "yes"',
      /^rules\[0\] \(a\): notify must be true or false \(line 3\)$/,
    ],
    [
      'with a number where text is',
      'rules:\n  - key: k\n    name: 5',
      /^rules\[0\] \(k\): name must be text; put it in quotes \(line 3\)$/,
    ],
    [
      'with a number among values',
      'lists:\n  - name: l\n    values:\n      - a\n      - 5',
      /^lists\[0\] \(l\): values must be texts; put them in quotes \(line 5\)$/,
    ],
    ['with a list without values', 'lists: [{name: l}]', /^lists\[0\] \(l\): it has no values/],
    [
      'with a list of a bad kind',
      'lists:\n- {name: l, match: regex, values: [a]}',
      /match must be exact, suffix or domain \(line 2\)$/,
    ],
    [
      'with a rule twice',
      'rules:\n  - {name: a, criteria: x}\n  - {name: A}',
      /^rules\[1\] \(A\): a rule of this name stands on line 2 already \(line 3\)$/,
    ],
    [
      'with a list twice',
      'lists:\n  - {name: l, values: [a]}\n  - {name: l, values: [b]}',
      /a list of this name stands on line 2 already/,
    ],
    [
      'with a list that there is not',
      'rules:\n  - {name: a, criteria: "list:x"}',
      /^rules\[0\] \(a\): list:x: there is no such list; .* \(line 2\)$/,
    ],
    [
      'with a condition that is wrong',
      'rules:\n  - {name: a}\n  - {name: b, criteria: "type:spirit"}',
      /^rules\[1\] \(b\): type:spirit: .* \(line 3\)$/,
    ],
    [
      'with a webhook that is refused',
      'rules: [{name: a, webhook: {url: "ftp://x"}}]',
      /^rules\[0\] \(a\): The address of the webhook/,
    ],
    [
      'with one condition twice',
      'rules: [{name: a, criteria: x, condition: y}]',
      /criteria and condition are the same/,
    ],
  ])('%s', async (_what, text, message) => {
    const [code, ...messages] = await refusal(admin, text);
    expect([code, messages.find((one) => message.test(one)) ?? messages]).toEqual([
      'invalid_rule',
      expect.stringMatching(message),
    ]);
    expect(await written(admin)).toBe('rules: []\n');
  });

  it('that is too large, or has lists and is a member’s', async () => {
    expect(await refusal(member, '#'.repeat(524_289))).toEqual(['too_large']);
    expect(await take(member, '#'.repeat(524_288 - 10) + '\nrules: []')).toMatchObject({ created: 0 });
    expect(await refusal(member, 'lists: [{name: l, values: [a]}]')).toEqual([
      'invalid_rule',
      'lists[0] (l): lists are for administrators (line 1)',
    ]);
  });

  it('when it makes more rules than one can have; those that are there already do not count', async () => {
    const most = test.ports.deployment.alertRulesPerAccount;
    const rules = (count: number) =>
      `rules: [${Array.from({ length: count }, (_, nth) => `{name: r${nth}}`).join(',')}]`;
    expect(await take(member, rules(most))).toMatchObject({ created: most });
    expect(await take(member, rules(most))).toMatchObject({ created: 0, updated: most });
    expect(await refusal(member, rules(most + 1))).toEqual([
      'invalid_rule',
      expect.stringMatching(/^rules\[50\] \(r50\): You have 50/),
    ]);
  });

  it('with as many reasons as anybody reads', async () => {
    const [, ...messages] = await refusal(
      member,
      `rules: [${Array.from({ length: 150 }, (_, nth) => `{name: r${nth}, scope: ${'x'.repeat(400)}}`).join(',')}]`,
    );
    expect(messages).toHaveLength(101);
    expect(messages.every(({ length }) => length <= 256)).toBe(true);
    expect(messages[100]).toBe('… and 150 more');
  });
});

it('tells of what it does not read', () => {
  const { warnings, errors } = readRuleDocument(
    'owner: me\nrules:\n  - name: a\n    secret: x\n    webhook: {url: "", secret: y}',
  );
  expect([warnings, errors]).toEqual([
    [
      'The document: “owner” is not read (line 1)',
      'rules[0] (a): “secret” is not read (line 4)',
      'rules[0] (a): “secret” is not read (line 5)',
    ],
    [],
  ]);
});
