import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import { ruleSignature, type Actor } from '@svc/domain';
import { tlshDistance } from '@svc/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../ports/ports.ts';
import { getCorrelatedJobs } from './get-correlated-jobs.ts';
import { getJob } from '../jobs/get-job.ts';
import { getSimilarFiles } from './get-similar-files.ts';

let test: TestPorts;
let ports: Ports;
let owner: Actor;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(async () => {
  await test.reset();
  const account = { email: 'o@example.org', passwordHash: 'x', role: 'user', displayName: null } as const;
  owner = {
    kind: 'account',
    userId: (await ports.accounts.create(account)).id,
    email: 'o@example.org',
    role: 'user',
    ip: '192.0.2.2',
  };
});
afterAll(() => test.close());

/** A log whose end depends on its name. */
function log(name: string): string {
  const line = (i: number): string => `${i * i} ${i % 7} logon of ${i > 1900 ? name : 'alice'} from host ${i % 31}`;
  return Array.from({ length: 2000 }, (_, i) => line(i)).join('\n');
}

function analyzed(text: string, { by = visitor, isPrivate = false } = {}): Promise<number> {
  const sent = { fileName: `${text.length}.evtx`, content: `ElfFile\0${text}` };
  return analyzeLog(ports, by, { ...sent, is_private: isPrivate });
}

const tlshOf = async (id: number): Promise<string | null> => (await getJob(ports, visitor, { id })).file.tlsh;

describe('similar files', () => {
  it('are found by the digest that the analysis leaves', async () => {
    const [own, near, far] = [await analyzed(log('bob')), await analyzed(log('eve')), await analyzed('x'.repeat(99))];
    expect(await tlshOf(far)).toBeNull();
    const [tlsh, other] = [await tlshOf(own), await tlshOf(near)];
    const { total } = tlshDistance(tlsh!, other!);
    expect(total).toBeGreaterThan(0);
    const answer = await getSimilarFiles(ports, visitor, { id: own, threshold: 100 });
    expect(operations.getSimilarFiles.output.parse(answer)).toEqual(answer);
    const filename = `${log('eve').length}.evtx`;
    const file = { file_id: expect.any(Number), filename, distance: total, job_id: near, status: 'completed' };
    expect(answer).toEqual({ tlsh, threshold: 100, files: [file] });
    const closer = await getSimilarFiles(ports, visitor, { id: own, threshold: total - 1 });
    expect(closer).toEqual({ tlsh, threshold: total - 1, files: [] });
    expect(await getSimilarFiles(ports, visitor, { id: far, threshold: 100 })).toEqual({
      tlsh: null,
      threshold: 100,
      files: [],
    });
  });

  it('are not told from private jobs of others, nor of them', async () => {
    const own = await analyzed(log('bob'));
    const hidden = await analyzed(log('eve'), { by: owner, isPrivate: true });
    expect((await getSimilarFiles(ports, visitor, { id: own, threshold: 100 })).files).toEqual([]);
    expect((await getSimilarFiles(ports, owner, { id: own, threshold: 100 })).files).toHaveLength(1);
    await expect(getSimilarFiles(ports, visitor, { id: hidden, threshold: 100 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are digested once, and a failure to leaves the job as it is', async () => {
    const made: string[] = [];
    const digests = { ofFile: async (path: string) => (made.push(path), 'x'.repeat(999)) };
    ports = { ...test.ports, digests };
    const id = await analyzed(log('bob'));
    expect(made).toHaveLength(1);
    ports = test.ports;
    expect(await getJob(ports, visitor, { id })).toMatchObject({ status: 'completed', file: { tlsh: null } });
    await analyzed(log('bob'));
    const tlsh = await tlshOf(id);
    expect(tlsh).toMatch(/^T1/);
    ports = { ...test.ports, digests };
    await analyzed(log('bob'));
    ports = test.ports;
    expect(made).toHaveLength(1);
    expect(await tlshOf(id)).toBe(tlsh);
  });
});

describe('correlated jobs', () => {
  const rule_signature = ruleSignature(finding());

  it('are those in which the same was found, newest first', async () => {
    const ids = [await analyzed('1'), await analyzed('2'), await analyzed('3', { by: owner, isPrivate: true })];
    test.engine.behave = async () => output({ findings: [finding({ severity: 'low' })] });
    await analyzed('4');
    test.engine.behave = async () => output({ findings: [finding({ count: 3 })] });
    const last = await analyzed('5');
    const answer = await getCorrelatedJobs(ports, visitor, { id: ids[0]!, rule_signature });
    expect(operations.getCorrelatedJobs.output.parse(answer)).toEqual(answer);
    const { ruleName: rule_name, severity } = finding();
    const found = { filename: '1.evtx', rule_name, severity, tool: 'sigma-native', job_created_at: expect.any(String) };
    expect(answer.findings).toEqual([
      { ...found, job_id: last, count: 3 },
      { ...found, job_id: ids[1], count: 1 },
    ]);
    const seen = (await getCorrelatedJobs(ports, owner, { id: ids[0]!, rule_signature })).findings;
    expect(seen.map(({ job_id }) => job_id)).toEqual([last, ids[2], ids[1]]);
  });

  it('are twenty at most, and none of a job that the viewer may not see', async () => {
    const first = await analyzed('0', { by: owner, isPrivate: true });
    for (let i = 1; i < 23; i++) await analyzed(String(i));
    expect((await getCorrelatedJobs(ports, owner, { id: first, rule_signature })).findings).toHaveLength(20);
    await expect(getCorrelatedJobs(ports, visitor, { id: first, rule_signature })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
