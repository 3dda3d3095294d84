import { compareJobs } from '@svc/application/jobs/compare-jobs.ts';
import { createBatch } from '@svc/application/jobs/create-batch.ts';
import { getBatch } from '@svc/application/jobs/get-batch.ts';
import { removeJob } from '@svc/application/jobs/remove-job.ts';
import { moveJob } from '@svc/application/analysis/move-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { NewFinding } from '@svc/application/report/new-finding.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { finding } from '../testing/fake-engine.ts';
import { account, at, jobFixture, outcome, visitor } from './job-fixture.ts';

const worst = finding({ ruleId: 'r1', ruleName: 'Dump', severity: 'critical', count: 2, hosts: ['dc01'] });
const common = finding({ ruleId: 'r2', ruleName: 'Script', severity: 'low', count: 50, hosts: ['dc01', 'ws1'] });
const secret = finding({ ruleId: 'r3', ruleName: 'Secret', severity: 'critical', count: 900, hosts: ['hidden-host'] });

/** What several jobs come to together; `make` gives empty repositories with workflows. */
export function batchesContract(make: () => Promise<Ports>): void {
  describe('batches', () => {
    let ports: Ports;
    const { submit, begin, userNamed } = jobFixture(async () => (ports = await make()));
    let owner: string;
    beforeEach(async () => {
      owner = await userNamed('owner@example.org');
    });

    /** A job that has ended, unless it is told not to. */
    async function job(name: string, findings: NewFinding[], { isPrivate = false, ends = true } = {}): Promise<number> {
      const { job: made } = await submit({ job: { submittedName: name, isPrivate, submittedBy: owner } });
      await ports.jobs.claim(made.id, 'claim', at);
      const [task] = await begin(made.id);
      await ports.results.finishTask(task!, outcome({ findings }), at);
      if (ends) await moveJob(ports, made.id, { from: 'running', to: 'completed', at });
      return made.id;
    }
    const made = async (ids: number[], by = owner) =>
      (await createBatch(ports, account(by), { job_ids: ids })).batch_id;

    it('bring rules, hosts and files together, worst first', async () => {
      const calm = await job('calm', [common]);
      const bad = await job('bad', [common, worst]);
      const clean = await job('clean', []);
      const id = await made([calm, bad, clean]);
      const batch = await getBatch(ports, visitor, { id });
      expect(batch).toMatchObject({
        submitter: 'account',
        has_running: false,
        matches: 102,
        findings_without_hosts: 0,
      });
      expect(batch.jobs.map(({ filename, rules }) => [filename, rules.critical, rules.low])).toEqual([
        ['bad', 1, 1],
        ['calm', 0, 1],
        ['clean', 0, 0],
      ]);
      expect(batch.rules.map((rule) => [rule.rule_name, rule.matches, rule.jobs, rule.hosts])).toEqual([
        ['Dump', 2, 1, ['dc01']],
        ['Script', 100, 2, ['dc01', 'ws1']],
      ]);
      expect(batch.hosts.map(({ host, rules, jobs }) => [host, rules.critical, rules.low, jobs])).toEqual([
        ['dc01', 1, 1, 2],
        ['ws1', 0, 1, 2],
      ]);
      expect(batch.severities).toEqual([
        { severity: 'critical', rules: 1, matches: 2 },
        { severity: 'low', rules: 1, matches: 100 },
      ]);
      expect(batch.tactics).toEqual([{ tactic: 'execution', rules: 2, matches: 102 }]);
      const [place] = batch.rules[0]!.places;
      expect(await ports.findings.get(visitor, place!.finding_id)).toMatchObject({ ruleName: 'Dump', jobId: bad });
    });

    it('are of the jobs that a viewer may see, in everything', async () => {
      const open = await job('open', [common]);
      const hidden = await job('hidden', [common, secret], { isPrivate: true });
      const id = await made([open, hidden]);
      const seen = JSON.stringify(await getBatch(ports, visitor, { id }));
      expect(seen).toBe(JSON.stringify({ ...JSON.parse(seen), matches: 50, jobs: JSON.parse(seen).jobs.slice(0, 1) }));
      expect(seen).not.toMatch(/hidden|Secret/);
      expect((await getBatch(ports, account(owner), { id })).matches).toBe(1000);
      // Nobody makes one of what they do not see, nor learns that there is one.
      await expect(createBatch(ports, visitor, { job_ids: [open, hidden] })).rejects.toMatchObject({
        code: 'not_found',
      });
      const own = await ports.batches.create({ jobIds: [hidden], by: owner, at });
      await expect(getBatch(ports, visitor, { id: own })).rejects.toMatchObject({ code: 'not_found' });
      await expect(getBatch(ports, visitor, { id: own + 99 })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('know what still runs, and lose what is deleted', async () => {
      const done = await job('done', [common]);
      const running = await job('running', [worst], { ends: false });
      const id = await made([running, done]);
      const batch = await getBatch(ports, visitor, { id });
      expect(batch).toMatchObject({ has_running: true, matches: 50 });
      expect(batch.jobs.map(({ filename }) => filename)).toEqual(['done', 'running']);
      await removeJob(ports, running, { by: null, at });
      expect((await getBatch(ports, visitor, { id })).jobs).toHaveLength(1);
      await removeJob(ports, done, { by: null, at });
      await expect(getBatch(ports, visitor, { id })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('are the same for the same jobs of the same account', async () => {
      const [one, two, three] = [await job('1', []), await job('2', []), await job('3', [])];
      const id = await made([one, two]);
      expect(await made([two, one, two])).toBe(id);
      expect(await made([one, two, three])).not.toBe(id);
      expect(await made([one, two], await userNamed('other@example.org'))).not.toBe(id);
    });

    it('compare two jobs by their rules and hosts', async () => {
      const a = await job('a', [worst, { ...common, count: 3 }]);
      const b = await job('b', [common, finding({ ruleId: 'r4', ruleName: 'New', severity: 'medium', hosts: null })]);
      const compared = await compareJobs(ports, visitor, { a, b });
      expect(compared.rules.map((rule) => [rule.rule_name, rule.a?.matches, rule.b?.matches])).toEqual([
        ['Dump', 2, undefined],
        ['New', undefined, 1],
        ['Script', 3, 50],
      ]);
      expect([compared.only_a.critical, compared.only_b.medium, compared.both.low]).toEqual([1, 1, 1]);
      expect(compared.hosts.map(({ host, a: inA, b: inB }) => [host, inA?.critical, inB?.low])).toEqual([
        ['dc01', 1, 1],
        ['ws1', 0, 1],
      ]);
      const hidden = await job('hidden', [secret], { isPrivate: true });
      for (const ids of [
        { a, b: hidden },
        { a: hidden, b: a },
      ]) {
        await expect(compareJobs(ports, visitor, ids)).rejects.toMatchObject({ code: 'not_found' });
      }
      expect((await compareJobs(ports, account(owner), { a, b: hidden })).only_b.critical).toBe(1);
    });
  });
}
