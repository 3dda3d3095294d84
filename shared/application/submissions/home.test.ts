import { recordSubmission } from './record-submission.ts';
import { submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listJobs } from '../jobs/list-jobs.ts';
import type { Ports } from '../ports/ports.ts';
import type { Sample } from '../ports/shipped-content.ts';
import { detectPreview } from './detect-preview.ts';
import { getHome } from './get-home.ts';
import { getJobStates } from './get-job-states.ts';
import { listWorkflows } from './list-workflows.ts';
import { submitSample } from './submit-sample.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
const sample: Sample = { name: 'intrusion', title: 'Intrusion', description: '…', fileName: 'a.evtx', sizeBytes: 8 };

const asked = (name: string) => ({ name, workflow_id: null, is_private: false });

let test: TestPorts;
let ports: Ports;
beforeAll(async () => {
  test = await openTestPorts();
  const shipped: Ports['shipped'] = {
    workflows: () => test.ports.shipped.workflows(),
    alertRules: () => test.ports.shipped.alertRules(),
    corePack: () => null,
    samples: async () => [sample],
    readSample: async function* () {
      yield Buffer.from('ElfFile\0');
    },
  };
  ports = { ...test.ports, shipped };
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

it('lists the eight shipped workflows by name, one of them the default', async () => {
  const { workflows } = await listWorkflows(ports, visitor);
  expect(workflows.map(({ name, log_types, is_default }) => [name, log_types, is_default])).toEqual([
    ['Cloud, web and network analysis', ['cloud_audit', 'web_access', 'zeek', 'network', 'csv', 'json'], false],
    ['Linux Auditd Analysis', ['auditd'], false],
    ['Linux Journald Analysis', ['journald'], false],
    ['Linux Syslog Analysis', ['syslog'], false],
    ['Linux Sysmon Analysis', ['sysmon_linux'], false],
    ['Results of other engines', ['detection_results'], false],
    ['Windows Event XML Analysis', ['xml_evtx'], false],
    ['Windows Full Analysis', ['evtx', 'json_evtx', 'json_winlogbeat'], true],
  ]);
});

it('begins every shipped workflow with the built-in engine, and leaves out what is not enabled', async () => {
  for (const { id } of await ports.workflows.list()) {
    const [first, ...others] = await ports.workflows.tasks(id);
    expect(first).toMatchObject({ tool: 'sigma-native', whenAvailable: false, packs: null, rulesPaths: [] });
    expect(others.every(({ whenAvailable }) => whenAvailable)).toBe(true);
  }
});

it('shows what the Submit page needs, as the contract has it', async () => {
  const home = await getHome(ports, visitor);
  expect(operations.getHome.output.parse(home)).toEqual(home);
  expect(home).toMatchObject({ max_upload_size_mb: 10, upload_slots: 2, max_upload_files: 50, demo_mode: false });
  expect(home.samples).toEqual([{ name: 'intrusion', title: 'Intrusion', description: '…', size_bytes: 8 }]);
  expect(home.workflows.every(({ description }) => description.length <= 60)).toBe(true);
});

it('shows the eight newest jobs that the viewer sees, as the list does', async () => {
  expect((await getHome(ports, visitor)).recent).toEqual([]);
  const ids: number[] = [];
  for (let each = 0; each < 9; each += 1) ids.push(await submitLog(ports, visitor, { content: `ElfFile\0${each}` }));
  const { id, email } = await ports.accounts.create({
    email: 'o@x.org',
    passwordHash: '',
    role: 'user',
    displayName: null,
  });
  const owner: Actor = { kind: 'account', userId: id, email, role: 'user', ip: '192.0.2.2' };
  const secret = await submitLog(ports, owner, { content: 'ElfFile\0secret', is_private: true });
  const seenBy = async (actor: Actor) => {
    const home = await getHome(ports, actor);
    expect(operations.getHome.output.parse(home)).toEqual(home);
    expect(home.recent).toEqual((await listJobs(ports, actor, { page: 1, q: '', tags: [] })).jobs.slice(0, 8));
    return home.recent.map(({ job_id }) => job_id);
  };
  const newest = ids.toReversed();
  expect(await seenBy(visitor)).toEqual(newest.slice(0, 8));
  expect(await seenBy(owner)).toEqual([secret, ...newest.slice(0, 7)]);
});

it('submits a sample by the workflow for its type', async () => {
  const { job_id } = await submitSample(ports, visitor, asked('intrusion'));
  const record = await ports.jobs.get(job_id);
  expect(record).toMatchObject({ job: { submittedName: 'a.evtx', logType: 'evtx' }, file: { sizeBytes: 8 } });
  expect((await ports.workflows.get(record?.job.workflowId ?? 0))?.name).toBe('Windows Full Analysis');
  await expect(submitSample(ports, visitor, asked('no such'))).rejects.toMatchObject({ code: 'not_found' });
});

it('tells the type of a file by its head', async () => {
  const head = new TextEncoder().encode('ElfFile\0');
  expect(await detectPreview(ports, visitor, { head })).toEqual({
    log_type: 'evtx',
    label: 'Windows Event Log (EVTX)',
  });
  test.settings.demoMode = true;
  await expect(detectPreview(ports, visitor, { head })).rejects.toMatchObject({ code: 'demo_mode' });
});

it('tells states in the order asked for, and nothing of what is missing or hidden', async () => {
  const owner = await ports.accounts.create({ email: 'o@x.org', passwordHash: '', role: 'user', displayName: null });
  const actor: Actor = { kind: 'account', userId: owner.id, email: owner.email, role: 'user', ip: '192.0.2.2' };
  const open = (await submitSample(ports, visitor, asked('intrusion'))).job_id;
  const record = await ports.jobs.get(open);
  if (!record) throw new Error('no job');
  const { storageKey, sha256, sizeBytes, detectedType } = record.file;
  const secret = await recordSubmission(ports, {
    file: { storageKey, sha256, sizeBytes, detectedType, originalName: 'a.evtx', uploaderIp: actor.ip },
    job: {
      workflowId: record.job.workflowId,
      submittedBy: owner.id,
      submitterIp: actor.ip,
      submittedName: 'a.evtx',
      logType: 'evtx',
      isPrivate: true,
    },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: null, at: new Date() },
  });
  const ids = [secret.job.id, 999_999, open];
  expect(await getJobStates(ports, visitor, { ids })).toMatchObject({
    jobs: [{ job_id: open, status: 'pending', total_findings: 0, error: null, job_url: `/jobs/${open}` }],
    unavailable_ids: [secret.job.id, 999_999],
  });
  const own = await getJobStates(ports, actor, { ids });
  expect(own.jobs.map(({ job_id }) => job_id)).toEqual([secret.job.id, open]);
});
