import {
  acknowledgeAlert,
  acknowledgeAlerts,
  acknowledgeJobAlert,
} from '@svc/application/alerts/acknowledge-alerts.ts';
import { explainAlert, explainJobAlert } from '@svc/application/alerts/explain-alert.ts';
import { toMatchedEvent } from '@svc/application/report/shown/findings.ts';
import { listAlerts } from '@svc/application/alerts/list-alerts.ts';
import { hashOfRule, type ShippedRules } from '@svc/application/alerts/shipped-rules.ts';
import { acknowledgeNotification } from '@svc/application/discussions/acknowledge-notification.ts';
import { acknowledgeNotifications } from '@svc/application/discussions/acknowledge-notifications.ts';
import { countNotifications } from '@svc/application/discussions/count-notifications.ts';
import { listNotifications } from '@svc/application/discussions/list-notifications.ts';
import { restoreNotifications } from '@svc/application/discussions/restore-notifications.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { asc, eq, isNull, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { rowsOf } from '../postgres/rows-of.ts';
import { alertRules, alertRuleVersions, entityAlerts, jobAlerts, jobs, ruleLists } from '../postgres/schema/index.ts';
import { insertRule } from './alert-rule-row.ts';
import { entityFixture } from './entity-fixture.ts';
import { account, at } from './job-fixture.ts';

const keyed = (key: string) => eq(alertRules.key, key);
const later = (minutes: number): Date => new Date(at.getTime() + minutes * 60_000);

/** Alerts as people read and acknowledge them, and the rules that ship; `make` gives empty repositories with workflows. */
export function alertsContract(make: () => Promise<Ports>, database: () => Database): void {
  const rule = (name: string, ownerId: string | null, over: Partial<typeof alertRules.$inferInsert> = {}) => {
    const key = ownerId === null ? name : null;
    return insertRule(database(), { name, ownerId, key, query: 'ws01', notifies: true, ...over });
  };
  const entityId = async (value: string): Promise<number> =>
    (await rowsOf<{ id: number }>(database(), sql`select id from entities where value = ${value}`))[0]!.id;

  describe('alerts', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    const person = async (name: string, role: 'member' | 'admin' = 'member'): Promise<Actor & { kind: 'account' }> => {
      const id = await userNamed(`${name}@example.org`);
      await ports.accounts.update(id, { role });
      return account(id, role) as Actor & { kind: 'account' };
    };
    const raise = (ruleId: number, jobId: number, minutes: number, entity: number | null) =>
      ports.transaction(async (tx) => {
        const match = { ruleId, jobId, at: later(minutes), isAlert: true };
        await (entity === null
          ? tx.rulePasses.recordJob(match)
          : tx.rulePasses.recordEntities([{ ...match, entityIds: [entity] }]));
      });
    const list = (actor: Actor, asked: Partial<InputOf<typeof operations.listAlerts>> = {}) =>
      listAlerts(ports, actor, { all: false, everybody: false, ...asked });
    const names = async (...of: Parameters<typeof list>): Promise<string[]> => {
      const { entities, jobs: ofJobs } = await list(...of);
      expect([entities.total, ofJobs.total]).toEqual([entities.alerts.length, ofJobs.alerts.length]);
      return [...entities.alerts, ...ofJobs.alerts].map((alert) => alert.rule.name);
    };
    const unread = async (actor: Actor): Promise<number> => (await countNotifications(ports, actor)).unread;

    /** Two members and an administrator with rules, whose alerts are on a public job and on a private one of Ada's. */
    async function raised() {
      const [ada, bob, root] = [await person('ada'), await person('bob'), await person('root', 'admin')];
      const open = await naming([2, 8], {}, 0);
      const hidden = await naming([2], { isPrivate: true, submittedBy: ada.userId }, 1);
      const ws = await entityId('WS01');
      const rules = {
        ada: await rule('ada', ada.userId),
        bob: await rule('bob', bob.userId),
        site: await rule('site', null),
        job: await rule('job', bob.userId, { scope: 'job', query: 'status:pending,running -tag:x' }),
      };
      await raise(rules.ada, open, 1, ws);
      await raise(rules.ada, hidden, 2, ws);
      await raise(rules.bob, open, 3, ws);
      await raise(rules.site, open, 4, ws);
      await raise(rules.job, open, 5, null);
      return { ada, bob, root, open, hidden, ws, rules };
    }

    it('are those of the own rules, for administrators also those of the site, and of no job that one does not see', async () => {
      const { ada, bob, root, hidden, rules, ws } = await raised();
      expect(await names(ada)).toEqual(['ada', 'ada']);
      expect(await names(bob)).toEqual(['bob', 'job']);
      expect(await names(root)).toEqual(['site']);
      expect(await names(root, { everybody: true })).toEqual(['site', 'bob', 'ada', 'ada', 'job']);
      await expect(list(ada, { everybody: true })).rejects.toMatchObject({ code: 'forbidden' });
      expect(await names(ada, { rule: rules.bob })).toEqual([]);
      expect([await names(bob, { entity: ws }), await names(bob, { entity: ws + 1 })]).toEqual([['bob'], []]);
      // A job that became another's private one is in no list and no count.
      const [theirs] = (await list(ada)).entities.alerts;
      await database().update(jobs).set({ submittedBy: bob.userId }).where(eq(jobs.id, hidden));
      expect([await names(ada), await unread(ada)]).toEqual([['ada'], 1]);
      await expect(explainAlert(ports, ada, { id: theirs!.id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(acknowledgeAlert(ports, ada, { id: theirs!.id })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are acknowledged one by one, those of others by administrators alone', async () => {
      const { ada, bob, root } = await raised();
      const [first] = (await list(bob)).entities.alerts;
      await expect(acknowledgeAlert(ports, ada, { id: first!.id })).rejects.toMatchObject({ code: 'not_found' });
      expect(await acknowledgeAlert(ports, root, { id: first!.id })).toEqual({ unread: 1 });
      expect([await names(bob), await names(bob, { all: true })]).toEqual([['job'], ['bob', 'job']]);
      const [row] = await database().select().from(entityAlerts).where(eq(entityAlerts.id, first!.id));
      expect(row?.acknowledgedBy).toBe(root.userId);
      // Doing it again changes neither who did it nor when.
      await acknowledgeAlert(ports, bob, { id: first!.id });
      expect((await database().select().from(entityAlerts).where(eq(entityAlerts.id, first!.id)))[0]).toEqual(row);
      const [onJob] = (await list(bob)).jobs.alerts;
      expect(await acknowledgeJobAlert(ports, bob, { id: onJob!.id })).toEqual({ unread: 0 });
    });

    it('are acknowledged all at once by each for himself', async () => {
      const { ada, bob, root } = await raised();
      expect(await acknowledgeAlerts(ports, root)).toEqual({ unread: 0 });
      expect([await names(ada), await names(bob)]).toEqual([
        ['ada', 'ada'],
        ['bob', 'job'],
      ]);
      expect(await acknowledgeAlerts(ports, bob)).toEqual({ unread: 0 });
      expect(await database().$count(jobAlerts, isNull(jobAlerts.acknowledgedAt))).toBe(0);
      expect(await names(ada)).toEqual(['ada', 'ada']);
    });

    it('wait in the bell, newest first, and come back when an acknowledgement is taken back', async () => {
      const { ada, bob, open, rules, ws } = await raised();
      const { items } = await listNotifications(ports, bob);
      expect(items).toMatchObject([
        { stream: 'jobrule', job: { id: open }, rule: { id: rules.job, name: 'job' } },
        { stream: 'rule', rule: { id: rules.bob }, entity: { id: ws, type: 'computer', value: 'WS01' } },
      ]);
      const one = { stream: 'rule', id: items[1]!.id } as const;
      await expect(acknowledgeNotification(ports, ada, one)).rejects.toMatchObject({ code: 'not_found' });
      expect(await acknowledgeNotification(ports, bob, one)).toMatchObject({ unread: 1 });
      const { acknowledged_at, unread: left } = await acknowledgeNotifications(ports, bob);
      expect([left, await unread(ada)]).toEqual([0, 2]);
      await restoreNotifications(ports, ada, { acknowledged_at });
      expect(await unread(bob)).toBe(0);
      expect(await restoreNotifications(ports, bob, { acknowledged_at })).toEqual({ unread: 1 });
    });

    it('tell which terms hold, and which findings of the job name the entity', async () => {
      const { bob, open, ws, rules } = await raised();
      await database()
        .update(alertRules)
        .set({ query: 'ws01 -evil type:domain', updatedAt: later(9) })
        .where(eq(alertRules.id, rules.bob));
      const [alert] = (await list(bob)).entities.alerts;
      const [found] = await ports.findings.withEvents(open);
      expect([alert?.entity?.id, await explainAlert(ports, bob, { id: alert!.id })]).toMatchObject([
        ws,
        {
          terms: [
            { text: 'ws01', holds: true },
            { text: '-evil', holds: true },
            { text: 'type:domain', holds: false },
          ],
          is_edited: true,
          events: 1,
          findings: [{ id: found!.id, event: null }],
        },
      ]);
      // With the first kept event that names it, as it is or without its domain or folder.
      for (const value of ['WS1', 'ws1.example.org', 'C:\\cmd.exe', 'cmd.exe']) {
        await database().execute(sql`update entities set value = ${value} where id = ${ws}`);
        const { findings } = await explainAlert(ports, bob, { id: alert!.id });
        expect([value, findings]).toMatchObject([value, [{ event: toMatchedEvent(found!.events[0]!) }]]);
      }
      const [onJob] = (await list(bob)).jobs.alerts;
      expect(await explainJobAlert(ports, bob, { id: onJob!.id })).toEqual({
        terms: [
          { text: 'status:pending,running', holds: true },
          { text: '-tag:x', holds: true },
        ],
        is_edited: false,
        events: null,
        findings: [
          {
            id: found!.id,
            rule_name: found!.ruleName,
            severity: found!.severity,
            count: found!.count,
            event: toMatchedEvent(found!.events[0]!),
          },
        ],
      });
    });

    it('come from rules that ship, which no start changes once somebody has edited them', async () => {
      const shipped = await ports.shipped.alertRules();
      expect([shipped.problems, shipped.rules.length, shipped.lists.length]).toEqual([[], 36, 9]);
      const seed = (over: Partial<ShippedRules> = {}) => ports.shippedRules.seed({ ...shipped, ...over }, at);
      await Promise.all([seed(), seed()]);
      const stored = () => database().select().from(alertRules).orderBy(asc(alertRules.id));
      const before = await stored();
      expect(before.map(({ key }) => key)).toEqual(shipped.rules.map(({ key }) => key));
      expect(before.filter(({ enabled }) => !enabled).map(({ key }) => key)).toEqual(['lookalike']);
      await seed();
      expect([await stored(), await database().$count(alertRuleVersions)]).toEqual([before, 36]);

      await database().update(alertRules).set({ query: 'mine', seedHash: null }).where(keyed('md5'));
      await database().update(alertRules).set({ enabled: false }).where(keyed('sha1'));
      await database().update(alertRules).set({ seedHash: null }).where(keyed('machine'));
      await database()
        .update(ruleLists)
        .set({ values: ['mine'], seedHash: null })
        .where(eq(ruleLists.name, 'lolbas'));
      const newer = {
        rules: shipped.rules
          .filter(({ key }) => key !== 'loopback' && key !== 'md5')
          .map((one) => ({ ...one, definition: { ...one.definition, description: 'newer' } })),
        lists: shipped.lists.filter(({ name }) => name !== 'gtfobins').map((one) => ({ ...one, description: 'newer' })),
      };
      // What could not be read is not missing.
      await seed({ ...newer, problems: ['x.yaml: bad'] });
      expect(await database().$count(alertRules, keyed('loopback'))).toBe(1);
      await seed(newer);
      const after = new Map((await stored()).map((row) => [row.key, row]));
      expect([after.size, after.has('loopback'), after.get('md5')?.query]).toEqual([35, false, 'mine']);
      expect(after.get('sha1')).toMatchObject({ enabled: false, description: 'newer' });
      // Was adopted by the start before, whose content it had.
      expect(after.get('machine')).toMatchObject({ description: expect.not.stringContaining('newer') });
      const lists = new Map((await database().select().from(ruleLists)).map((row) => [row.name, row]));
      expect(lists.get('lolbas')).toMatchObject({ values: ['mine'] });
      expect(lists.get('dynamic_dns')).toMatchObject({ description: 'newer' });
      // A rule still asks for it.
      expect(lists.has('gtfobins')).toBe(true);
      await seed({ ...newer, rules: newer.rules.filter(({ key }) => key !== 'gtfobin') });
      expect(await database().$count(ruleLists, eq(ruleLists.name, 'gtfobins'))).toBe(0);
      expect(hashOfRule(shipped.rules[0]!.definition)).not.toBe(hashOfRule(newer.rules[0]!.definition));
    });
  });
}
