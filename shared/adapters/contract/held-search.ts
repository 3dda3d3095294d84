import type { Ports } from '@svc/application/ports/ports.ts';
import { getFindingsNaming } from '@svc/application/report/get-findings-naming.ts';
import { planSearch } from '@svc/application/jobs/plan-search.ts';
import type { Actor } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { account, at, jobFixture, outcome, visitor } from './job-fixture.ts';

type Entities = ReturnType<typeof derived>['entities'];

/** What searches find of what the results of jobs hold; `make` gives empty repositories with workflows. */
export function heldSearchContract(make: () => Promise<Ports>): void {
  describe('a search for what results hold', () => {
    let ports: Ports;
    const { submit, userNamed } = jobFixture(async () => (ports = await make()));

    /** A job in which these things were found. */
    async function found(values: Partial<Record<keyof Entities, string[]>>, over: object = {}, rule: object = {}) {
      const { job } = await submit({ job: over });
      await ports.jobs.claim(job.id, 'claim', at);
      const task = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 } as const;
      const [id = 0] = await ports.results.addTasks(job.id, [task], at);
      await ports.results.startTask(id, at);
      const none = Object.fromEntries(Object.keys(derived().entities).map((type) => [type, []]));
      const named = Object.entries(values).map(([type, all]) => [type, all.map((value) => ({ value, count: 1 }))]);
      const entities = { ...none, ...Object.fromEntries(named) } as Entities;
      const findings = [finding({ ruleId: null, ruleName: 'Other', tags: [], ...rule })];
      await ports.results.finishTask(id, outcome({ findings, derived: { ...derived(), entities } }), at);
      return job.id;
    }

    async function search(q: string, viewer: Actor = visitor): Promise<number[]> {
      const plan = planSearch(viewer, { q, tags: [] }, at);
      const { jobs, total } = await ports.jobLists.page(viewer, plan.search, { page: 1, per: 50, cursor: null });
      expect(total).toBe(jobs.length);
      return jobs.map(({ job }) => job.id).sort((a, b) => a - b);
    }

    it('finds things by what they are called, in whatever case, and no others', async () => {
      const hash = 'AB'.repeat(16);
      const one = await found({ computer: ['WS01.corp.example'], user: ['CORP\\Alice'], hash: [hash] });
      const two = await found({ computer: ['ws02'], ip_address: ['10.0.0.5', 'fe80::1'], domain: ['evil.example'] });
      const three = await found({ executable: ['mimikatz.exe'], cmdline_file: ['run.ps1'] });
      expect(await search('host:ws01')).toEqual([one]);
      expect(await search('host:WS01.CORP.example')).toEqual([one]);
      expect(await search('host:ws')).toEqual([]);
      expect(await search('host:ws01,ws02')).toEqual([one, two]);
      expect(await search('-host:ws01')).toEqual([two, three]);
      expect(await search('host:ws01 OR ip:10.0.0.5')).toEqual([one, two]);
      expect(await search('user:alice host:ws01 OR program:mimikatz host:ws01')).toEqual([one]);
      expect(await search('user:alice')).toEqual([one]);
      expect(await search('user:"corp\\ALICE"')).toEqual([one]);
      expect(await search('ip:FE80:0::1')).toEqual([two]);
      expect(await search('domain:evil.example')).toEqual([two]);
      expect(await search(`hash:${hash.toLowerCase()}`)).toEqual([one]);
      expect(await search(`hash:${hash.slice(0, 8)}`)).toEqual([]);
      expect(await search('program:mimikatz')).toEqual([three]);
      expect(await search('program:run.ps1,none')).toEqual([three]);
      expect(await search('host:"a\u0000b"')).toEqual([]);
    });

    it('finds files by the beginning of their digest, as results by a whole hash', async () => {
      const digest = 'cd'.repeat(32);
      const { job } = await submit({ file: { sha256: digest } });
      const other = await found({ hash: [digest.toUpperCase()] });
      expect(await search(`hash:${digest}`)).toEqual([job.id, other]);
      expect(await search('hash:cdcdcd')).toEqual([job.id]);
      expect(await search(`sha256:${digest}`)).toEqual([job.id]);
    });

    it('finds rules by name, id and word, and techniques with what lies under them', async () => {
      const rule = { ruleId: 'r-1', ruleName: 'Mimikatz Use', tags: ['attack.t1003.001'] };
      const one = await found({}, {}, rule);
      const old = await found({}, {}, { ruleName: 'Encoded', tags: ['attack.t1086'] });
      expect(await search('rule:"mimikatz use"')).toEqual([one]);
      expect(await search('rule:r-1')).toEqual([one]);
      expect(await search('rule:MIMIKATZ')).toEqual([one]);
      expect(await search('rule:mimi')).toEqual([]);
      expect(await search('technique:T1003')).toEqual([one]);
      expect(await search('technique:T1003.001,T1059')).toEqual([one, old]);
      expect(await search('technique:T1086')).toEqual([old]);
    });

    it('finds nothing in private jobs of others', async () => {
      const [ada, eve] = [account(await userNamed('ada')), account(await userNamed('eve'), 'member')];
      const own = { isPrivate: true, submittedBy: ada.kind === 'account' ? ada.userId : null };
      const id = await found({ computer: ['SECRET'] }, own, { ruleName: 'Hidden', tags: ['attack.t1003'] });
      for (const q of ['host:secret', 'rule:hidden', 'technique:T1003', 'host:secret OR zzz']) {
        expect(await search(q, ada)).toEqual([id]);
        expect(await search(q, account('00000000-0000-4000-8000-000000000000', 'admin'))).toEqual([id]);
        expect(await search(q, eve)).toEqual([]);
        expect(await search(q)).toEqual([]);
      }
      expect(await search('-host:none', eve)).toEqual([]);
    });

    it('finds the jobs of cases that the viewer sees, by number and name', async () => {
      const [ownerId, otherId] = [await userNamed('ada'), await userNamed('eve')];
      const id = await found({});
      const { id: caseId } = await ports.cases.create({ name: '100% Phish', ownerId, isShared: false, at });
      await ports.cases.link(caseId, { jobId: id, by: null, at });
      for (const q of [`case:${caseId}`, 'case:phish', 'case:"100% p"']) {
        expect(await search(q, account(ownerId, 'member'))).toEqual([id]);
        expect(await search(q, account(otherId, 'member'))).toEqual([]);
        expect(await search(q, account(ownerId))).toEqual([]);
        expect(await search(q)).toEqual([]);
      }
      expect(await search('case:"1%"', account(ownerId, 'member'))).toEqual([]);
    });

    it('tells a report which of its findings have a text in their events, however it is written there', async () => {
      const path = String.raw`C:\Temp\"100%" a.exe`;
      const [event] = finding().events;
      const id = await found({}, {}, { events: [{ ...event!, fields: { Image: path } }] });
      const ids = async (text: string) =>
        (await ports.findings.withEventText(id, text)).map(({ events }) => events.length);
      expect(await ids(path.toUpperCase())).toEqual([1]);
      expect(await ids('ws1.example.org')).toEqual([1]);
      expect(await ids('100_')).toEqual([]);
      expect(await ids('\u0000')).toEqual([]);
      expect(await getFindingsNaming(ports, visitor, { id, value: 'A.EXE' })).toEqual({
        findings: [{ id: expect.any(Number), events: 1, kept: 1 }],
      });
      // Not between the signs of names.
      expect(await getFindingsNaming(ports, visitor, { id, value: 'exampl' })).toEqual({ findings: [] });
    });

    it('tells it of private jobs to those who see them', async () => {
      const ada = account(await userNamed('ada'));
      const own = { isPrivate: true, submittedBy: ada.kind === 'account' ? ada.userId : null };
      const id = await found({}, own);
      expect((await getFindingsNaming(ports, ada, { id, value: 'cmd.exe' })).findings).toHaveLength(1);
      await expect(getFindingsNaming(ports, visitor, { id, value: 'cmd.exe' })).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('forgets what a task found with the task', async () => {
      const id = await found({ computer: ['ws01'] });
      await ports.results.remove(id);
      expect(await search('host:ws01')).toEqual([]);
    });
  });
}
