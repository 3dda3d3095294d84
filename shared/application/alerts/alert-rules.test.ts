import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import type { Actor, Role } from '@svc/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../auth/signed-in.ts';
import { secretPlace } from './alert-rule-repository.ts';
import { deleteAlertRule, toggleAlertRule } from './change-alert-rules.ts';
import { promoteSet } from './promote-set.ts';
import { listAlertRuleVersions, restoreAlertRule } from './rule-versions.ts';
import { getAlertRule, listAlertRules } from './list-alert-rules.ts';
import { changeAlertRule, createAlertRule } from './save-alert-rule.ts';

let test: TestPorts;
let ada: Actor;
let bob: Actor;
let root: Actor;
beforeAll(async () => {
  test = await openTestPorts({ deployment: { alertRulesPerAccount: 3 } });
}, 60_000);
beforeEach(async () => {
  await test.reset();
  [ada, bob, root] = [await account('ada'), await account('bob'), await account('root', 'admin')];
});
afterAll(() => test.close());

async function account(name: string, role: Role = 'member'): Promise<Actor> {
  const email = `${name}@example.org`;
  const { id } = await test.ports.accounts.create({ email, passwordHash: 'plain:x', role, displayName: null });
  return { kind: 'account', userId: id, email, role, ip: '' };
}

const create = (who: Actor, fields: object) =>
  createAlertRule(test.ports, who, operations.createAlertRule.body.parse(fields));
const change = (who: Actor, id: number, fields: object) =>
  changeAlertRule(test.ports, who, { id, ...operations.changeAlertRule.body.parse(fields) });

describe('alert rules', () => {
  it('are their owner’s; shared ones are for all to read and for administrators to edit', async () => {
    const { rule: own } = await create(ada, { name: 'Night watch', query: 'dc01' });
    const { rule: shared } = await create(root, { name: 'All', query: 'dc02', is_shared: true, key: 'all' });
    const ids = async (who: Actor) => {
      const { mine, shared: all, others } = await listAlertRules(test.ports, who);
      return [mine, all, others].map((rules) => rules.map(({ id }) => id));
    };
    expect([await ids(ada), await ids(bob), await ids(root)]).toEqual([
      [[own.id], [shared.id], []],
      [[], [shared.id], []],
      [[], [shared.id], [own.id]],
    ]);
    const missing = { code: 'not_found' };
    await expect(getAlertRule(test.ports, bob, { id: own.id })).rejects.toMatchObject(missing);
    await expect(change(bob, own.id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(change(ada, shared.id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(toggleAlertRule(test.ports, ada, { id: shared.id })).rejects.toMatchObject(missing);
    await expect(deleteAlertRule(test.ports, bob, { id: own.id })).rejects.toMatchObject(missing);
    await expect(create(bob, { name: 'x', is_shared: true, key: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await change(root, own.id, { name: 'Renamed' })).toMatchObject({ rule: { name: 'Renamed', query: 'dc01' } });
    await deleteAlertRule(test.ports, ada, { id: own.id });
    expect(await ids(ada)).toEqual([[], [shared.id], []]);
  });

  it('are so many of an account and no more; shared ones do not count', async () => {
    for (const name of ['a', 'b', 'c']) await create(root, { name });
    await expect(create(root, { name: 'd', query: 'type:spirit' })).rejects.toMatchObject({
      code: 'invalid_rule',
      reasons: [{ code: 'term_error' }, { code: 'rule_limit' }],
    });
    await create(root, { name: 'd', is_shared: true, key: 'd' });
    expect(await listAlertRules(test.ports, root)).toMatchObject({ own_count: 3, rule_cap: 3 });
  });

  it('are listed with lists, what waits, deliveries and watched jobs, of those who ask', async () => {
    const webhook = { webhook_url: 'https://soc.example/', webhook_enabled: true };
    const { rule } = await create(ada, { name: 'Night watch', scope: 'job', query: '', ...webhook });
    const jobId = await submitLog(test.ports, ada);
    const [id, at] = [randomUUID(), new Date()];
    await test.ports.transaction(async (tx) => {
      await tx.rulePasses.recordJob({ ruleId: rule.id, jobId, at, isAlert: true });
      await tx.webhookDeliveries.add([{ id, ruleId: rule.id, jobId, event: 'job.match', matchCount: 1, at }]);
    });
    await test.ports.watches.begin(signedIn(ada).userId, jobId, at);
    const values = Array.from({ length: 21 }, (_, number) => `dc${number}`);
    const list = {
      name: 'crown_jewels',
      match: 'exact',
      description: '',
      values,
      sourceUrl: null,
      refreshHours: 0,
    } as const;
    await test.ports.transaction((tx) => tx.ruleLists.add(list, at));
    const listed = async (who: Actor) => {
      const {
        alerts,
        deliveries,
        watched_jobs: watched,
        lists,
        shared_enabled: isOn,
      } = await listAlertRules(test.ports, who);
      const waiting = [alerts.entities.total, ...alerts.jobs.alerts.map(({ job }) => job.id)];
      const jobs = watched.map(({ job }) => job.job_id);
      return [waiting, deliveries.map((one) => one.id), jobs, lists.map((one) => [one.count, one.values.length]), isOn];
    };
    expect(await listed(ada)).toEqual([[0, jobId], [id], [jobId], [[21, 20]], true]);
    await test.ports.settings.change({ builtinRulesEnabled: false });
    expect(await listed(bob)).toEqual([[0], [], [], [[21, 20]], false]);
  });

  it('are listed with whom their webhooks can reach, which administrators answer for', async () => {
    const readinessOf = async (who: Actor, publicOnly: boolean) => {
      const webhooks = { ...test.ports.deployment.webhooks, publicOnly };
      const ports = { ...test.ports, deployment: { ...test.ports.deployment, webhooks } };
      return (await listAlertRules(ports, who)).readiness.map(({ level, message }) => `${level} ${message}`);
    };
    expect(await readinessOf(ada, false)).toEqual([]);
    expect(await readinessOf(root, false)).toEqual([expect.stringMatching(/^INFO .* may reach private addresses/)]);
    expect(await readinessOf(root, true)).toEqual(['PASS Webhooks of rules reach hosts of the Internet alone']);
  });

  it('have keys of their own where they are shared', async () => {
    await create(root, { name: 'a', is_shared: true, key: 'a' });
    await expect(create(root, { name: 'b', is_shared: true, key: 'a' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keep what a change leaves out, and nothing of one that is refused', async () => {
    const fields = {
      name: 'a',
      query: 'dc01',
      entity_types: 'computer',
      action_tags: 'Prio/1,x',
      action_notify: false,
    };
    const { rule } = await create(ada, fields);
    expect(rule).toMatchObject({
      entity_types: ['computer'],
      action_tags: [
        { name: 'prio/1', color: 'gray' },
        { name: 'x', color: 'gray' },
      ],
      action_notify: false,
      enabled: true,
    });
    await expect(change(ada, rule.id, { name: 'b', query: 'tag:' })).rejects.toMatchObject({ code: 'invalid_rule' });
    expect((await getAlertRule(test.ports, ada, { id: rule.id })).name).toBe('a');
    expect((await change(ada, rule.id, { scope: 'jobs', query: 'is:clean' })).rule).toMatchObject({
      name: 'a',
      scope: 'job',
      entity_types: [],
      action_notify: false,
    });
    expect((await test.ports.tags.named(['prio/1', 'x'])).length).toBe(2);
  });

  it('tell of the webhook and its secret only what those may know who may edit', async () => {
    const webhook = { webhook_url: 'https://soc.example/x', webhook_headers: '{"X-Team":"blue"}' };
    const fields = { name: 'a', is_shared: true, key: 'a', ...webhook, webhook_secret: 's3cret' };
    const { rule } = await create(root, fields);
    expect(rule).toMatchObject({
      webhook_enabled: true,
      webhook_url: 'https://soc.example/x',
      webhook_headers: { 'X-Team': 'blue' },
      has_secret: true,
    });
    expect(await getAlertRule(test.ports, ada, { id: rule.id })).toMatchObject({
      webhook_enabled: true,
      webhook_url: null,
      webhook_headers: null,
      has_secret: null,
      can_edit: false,
    });
    const secret = async (): Promise<string | null> => {
      const sealed = await test.ports.alertRules.sealedSecret(rule.id);
      expect(sealed ?? '').not.toContain('s3cret');
      return sealed && test.ports.secretBox.open(sealed, secretPlace(rule.id));
    };
    expect(await secret()).toBe('s3cret');
    await change(root, rule.id, { webhook_secret: '' });
    expect(await secret()).toBe('s3cret');
    await change(root, rule.id, { clear_secret: true });
    expect(await secret()).toBeNull();
    expect((await change(root, rule.id, { webhook_url: '' })).rule).toMatchObject({
      webhook_enabled: false,
      webhook_url: null,
      has_secret: false,
    });
  });

  it('are written as they are read', async () => {
    const { rule } = await create(ada, { name: 'a', query: 'x', webhook_url: 'https://soc.example/x' });
    expect((await change(ada, rule.id, { ...rule, webhook_method: 'PUT' })).rule).toMatchObject({
      webhook_url: 'https://soc.example/x',
      webhook_method: 'PUT',
      webhook_headers: {},
      webhook_template: 'svc',
      webhook_template_body: null,
      webhook_enabled: true,
    });
  });

  it('tell of watched jobs one at a time', async () => {
    const fields = { webhook_url: 'https://soc.example/x', notify_job_watch: true };
    const { rule: first } = await create(ada, { name: 'a', ...fields });
    const { rule: second } = await create(ada, { name: 'b', ...fields });
    const { rule: others } = await create(bob, { name: 'c', ...fields });
    const told = async (who: Actor) =>
      (await listAlertRules(test.ports, who)).mine.filter((rule) => rule.notify_job_watch).map(({ id }) => id);
    expect([await told(ada), await told(bob)]).toEqual([[second.id], [others.id]]);
    await change(ada, first.id, { notify_job_watch: true });
    expect(await told(ada)).toEqual([first.id]);
  });

  it('keep their last versions, one for each that says something else', async () => {
    const { rule } = await create(ada, { name: 'a', query: 'v1' });
    for (let number = 2; number <= 25; number += 1) await change(ada, rule.id, { query: `v${number}` });
    await change(ada, rule.id, { query: 'v25' });
    await toggleAlertRule(test.ports, ada, { id: rule.id });
    const versions = await test.ports.alertRules.versions(rule.id);
    expect(versions.map(({ version, definition }) => [version, definition.query])).toEqual(
      Array.from({ length: 20 }, (_, index) => [25 - index, `v${25 - index}`]),
    );
    expect(versions[0]?.changedBy?.email).toBe('ada@example.org');
  });

  it('say again what a version said, if that can still be', async () => {
    const { ruleLists, clock } = test.ports;
    const list = { name: 'jewels', match: 'exact' as const, description: '', values: ['dc01'], sourceUrl: null };
    const { id: listId } = (await ruleLists.add({ ...list, refreshHours: 0 }, clock.now()))!;
    const { rule } = await create(ada, { name: 'a', query: 'list:jewels', webhook_url: 'https://soc.example/x' });
    await change(ada, rule.id, { name: 'b', query: 'dc02', webhook_secret: 's3cret' });
    const restored = await restoreAlertRule(test.ports, ada, { id: rule.id, version: 1 });
    expect(restored.rule).toMatchObject({ name: 'a', query: 'list:jewels', has_secret: true });
    const { versions } = await listAlertRuleVersions(test.ports, ada, { id: rule.id });
    expect(versions.map(({ version, changed_by: by, says }) => [version, by, says.name])).toEqual([
      [3, 'ada', 'a'],
      [2, 'ada', 'b'],
      [1, 'ada', 'a'],
    ]);
    expect(JSON.stringify(versions)).not.toContain('s3cret');
    await change(ada, rule.id, { query: 'dc02' });
    await ruleLists.remove(listId);
    const of = { id: rule.id, version: 1 };
    await expect(restoreAlertRule(test.ports, ada, of)).rejects.toMatchObject({ code: 'invalid_rule' });
    await expect(restoreAlertRule(test.ports, bob, of)).rejects.toMatchObject({ code: 'not_found' });
    await expect(listAlertRuleVersions(test.ports, bob, of)).rejects.toMatchObject({ code: 'not_found' });
    await expect(restoreAlertRule(test.ports, ada, { ...of, version: 9 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('hand their one set of values over to a list', async () => {
    const { rule } = await create(ada, { name: 'a', query: 'type:computer\n-in:(DC01,sql-prod-1) tag:x' });
    const promote = (id: number, name: string) => promoteSet(test.ports, root, { id, name, description: '' });
    const { rule: promoted } = await promote(rule.id, 'jewels');
    expect(promoted).toMatchObject({ query: 'type:computer\n-list:jewels tag:x', lists: ['jewels'] });
    expect(await test.ports.ruleLists.named(['jewels'])).toMatchObject([
      { match: 'exact', values: ['dc01', 'sql-prod-1'] },
    ]);
    // There is no set any more; then two; then a name that is taken; then a text that grows too long.
    await expect(promote(rule.id, 'others')).rejects.toMatchObject({ code: 'bad_request' });
    await change(ada, rule.id, { query: 'in:(a) in:(b)' });
    await expect(promote(rule.id, 'others')).rejects.toMatchObject({ code: 'bad_request' });
    await change(ada, rule.id, { query: 'in:(a)' });
    await expect(promote(rule.id, 'jewels')).rejects.toMatchObject({ code: 'conflict' });
    await change(ada, rule.id, { query: `in:(a) tag:${'x'.repeat(489)}` });
    await expect(promote(rule.id, 'y'.repeat(50))).rejects.toMatchObject({ code: 'invalid_rule' });
    expect(await test.ports.ruleLists.named(['y'.repeat(50)])).toEqual([]);
  });
});
