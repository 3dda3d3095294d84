import { analyzeJob } from '@svc/application/analysis/analyze-job.ts';
import { spoolUpload } from '@svc/application/submissions/spool-upload.ts';
import { uploadFile } from '@svc/application/submissions/upload-file.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { contentOf } from '../testing/content.ts';
import { finding, output } from '../testing/fake-engine.ts';
import { submitLog, receivedAnalysis } from '../testing/submit-log.ts';
import { makeServerDatabase, openServerDatabase, openTestDatabase } from '../testing/test-database.ts';
import { openTestPorts, type TestPorts } from '../testing/test-ports.ts';
import { copyDatabase } from './copy-database.ts';
import type { EmbeddedDatabase } from './database.ts';
import { postgresPorts } from './ports.ts';
import type { ServerDatabase } from './server-database.ts';

describeWith('postgres', 'moving to a server', () => {
  let from: EmbeddedDatabase;
  let to: ServerDatabase;
  let test: TestPorts;
  beforeAll(async () => {
    [from, to] = await Promise.all([openTestDatabase(), openServerDatabase(await makeServerDatabase())]);
    test = await openTestPorts({ database: from });
  });
  afterAll(async () => {
    await Promise.all([test.close(), from.close(), to.close()]);
  });

  it('brings every row as it was, goes on numbering, and refuses a database in use', async () => {
    const { ports } = test;
    await test.reset();
    const account = { email: 'ada@example.org', passwordHash: 'h', role: 'admin', displayName: 'Ada “A”' } as const;
    const { id: userId, email } = await ports.accounts.create(account);
    const ada: Actor = { kind: 'account', userId, email, role: 'admin', ip: '192.0.2.2' };
    const many = Array.from({ length: 450 }, (_, index) =>
      finding({ ruleId: `rule-${index}`, ruleName: 'é \\ " 😀 \u0001' }),
    );
    test.engine.behave = async () => output({ findings: many });
    const workflow_id = (await ports.workflows.list()).find(({ isDefault }) => isDefault)?.id ?? 0;
    const submit = async (key: string) => {
      const file = await spoolUpload(ports, { fileName: 'ü.evtx', content: contentOf(`ElfFile\0 ${key}`) });
      const options = {
        log_type_override: 'auto',
        is_private: true,
        force_resubmit: false,
        case_id: null,
        tags: ['triage'],
      };
      return uploadFile(ports, ada, { ...options, workflow_id, file, idempotency_key: key });
    };
    const { job_id: done } = await submit('one');
    const lease = await receivedAnalysis(ports);
    await analyzeJob(ports, lease, new AbortController().signal);
    await ports.tasks.acknowledge(lease);
    const { job_id: waiting } = await submit('two');

    const copied = await copyDatabase(from.orm, to.orm);
    expect(copied).toContainEqual({ table: 'findings', rows: 450 });
    const moved = postgresPorts(to, { leaseSeconds: 60, objects: ports.objects });
    expect(await moved.accounts.list()).toEqual(await ports.accounts.list());
    expect(await moved.workflows.list()).toEqual(await ports.workflows.list());
    const [all, shown] = [
      { filters: [], now: new Date() },
      { page: 1, per: 20 },
    ];
    expect(await moved.jobLists.page(ada, all, shown)).toEqual(await ports.jobLists.page(ada, all, shown));
    expect(await moved.findings.withEvents(done)).toEqual(await ports.findings.withEvents(done));
    expect(await moved.receipts.find(userId, 'job', 'two')).toMatchObject({ jobId: waiting });
    expect(await moved.tasks.receive({ worker: 'w', waitMs: 0 })).toMatchObject({ task: { jobId: waiting } });
    expect(await submitLog({ ...ports, ...moved }, ada)).toBeGreaterThan(waiting);
    await expect(copyDatabase(from.orm, to.orm)).rejects.toThrow('the server’s database is in use: accounts has rows');
  });
});
