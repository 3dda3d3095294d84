import type { CaseProcesses } from '@svc/contracts';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const line = 'certutil  -f -decode fi.b64 tool.dll';
const image = String.raw`C:\Windows\System32\certutil.exe`;
const parent = String.raw`C:\Windows\System32\cmd.exe`;

/** The same start as two logs of a host write it, and one of another host. */
const logs = {
  'sysmon.json': ['ws1.example.org', 'ws2.example.org'].map((Computer, nth) => ({
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    Provider_Name: 'Microsoft-Windows-Sysmon',
    EventID: 1,
    EventRecordID: nth + 1,
    Computer,
    UtcTime: '2026-08-01 10:00:00.120',
    ProcessGuid: `{00000000-0000-4000-8000-00000000000${nth + 1}}`,
    ProcessId: '700',
    Image: image,
    CommandLine: line,
    User: String.raw`EXAMPLE\ann`,
    ParentProcessGuid: `{00000000-0000-4000-8000-00000000001${nth}}`,
    ParentProcessId: '300',
    ParentImage: parent,
  })),
  'security.json': [
    {
      Channel: 'Security',
      Provider_Name: 'Microsoft-Windows-Security-Auditing',
      EventID: 4688,
      EventRecordID: 7,
      Computer: 'WS1',
      TimeCreated: '2026-08-01T10:00:05.300Z',
      NewProcessId: '0x2bc',
      NewProcessName: image,
      ProcessId: '0x12c',
      ParentProcessName: parent,
      CommandLine: line,
      SubjectUserName: 'ann',
    },
  ],
};

describeInBrowser('the processes of a case', ({ openAsAdmin, errors, server }) => {
  it('are each once for all logs, say which tell of them and what is in doubt, and lead to findings', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url, accept: 'application/json' };
    const data = { name: 'Two logs of one host', is_shared: true };
    const made = await page.request.post(`${server().url}/api/v1/cases`, { headers, data });
    const { case_id: id } = (await made.json()) as { case_id: number };
    for (const [name, events] of Object.entries(logs)) {
      const buffer = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      const multipart = {
        file: { name, mimeType: 'application/json', buffer },
        workflow_id: '1',
        case_id: String(id),
      };
      const sent = await page.request.post(`${server().url}/upload`, { headers, multipart });
      expect([name, sent.status()]).toEqual([name, 202]);
    }
    const told = async () => {
      const answer = await page.request.get(`${server().url}/intel/cases/${id}/process-tree`, { headers });
      return ((await answer.json()) as CaseProcesses).hosts.map(({ name, jobs, doubtful }) => [
        name,
        jobs.length,
        doubtful,
      ]);
    };
    const hosts = [
      ['ws1.example.org', 2, 1],
      ['ws2.example.org', 1, 0],
    ];
    await expect.poll(told, { timeout: 60_000 }).toEqual(hosts);

    await page.goto(`${server().url}/intel/cases/${id}`);
    await page.getByRole('tab', { name: 'Processes' }).click();
    const rows = page.getByRole('treeitem');
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(2);
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const row = rows.nth(1);
    await row.getByText('2 logs').waitFor();
    await row.getByText(/^These may be different processes: its records lie farther apart/).waitFor();
    for (const name of Object.keys(logs)) await row.getByRole('link', { name }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);

    // The other host has its own.
    await page.getByRole('combobox', { name: 'Host' }).selectOption('ws2.example.org');
    await page.waitForURL(/host=ws2/);
    await page.getByText('1 process of 1 log,').waitFor();
    await rows.nth(1).click();
    await rows.nth(1).getByRole('list', { name: 'Findings of this process' }).getByRole('button').first().click();
    await page.waitForURL(/\/jobs\/\d+\?finding=\d+/);
    expect(errors()).toEqual([]);
  }, 180_000);
});
