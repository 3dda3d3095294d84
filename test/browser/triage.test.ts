import { eventsTimeline } from '@svc/application/report/shown/events-timeline.ts';
import {
  call,
  operations,
  usualWorkflow,
  type EventsTimeline,
  type FindingRow,
  type ProcessNode,
  type ProcessTree,
  type SubmittedJob,
  type TriagePlan,
} from '@svc/contracts';
import { detectLogType } from '@svc/engine';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { seriousBreaches } from '../support/axe.ts';
import { bigLog, writeBigLog } from '../support/big-log.ts';
import { describeInBrowser } from '../support/browser.ts';
import { describeWithSharedData, sharedData } from '../support/shared-data.ts';

const patient = { timeout: 60_000 };
/** Thin separators, as pages have them. */
const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const samples = join(projectRoot(), 'config/samples');
/** Asked for while a log is analysed here: what the page is made of, and the rules. */
const allowed = /^\/(assets\/|favicon\.svg|api\/ui\/triage\/)/;

/** Puts files on the Submit page and analyses them there; the paths that are asked for from then on. */
async function analyseHere(page: Page, ...paths: string[]): Promise<string[]> {
  await page.getByLabel('Log files to submit').setInputFiles(paths);
  const button = page.getByRole('button', { name: 'Analyse in this browser' });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await page
    .getByRole('button', { name: 'Submit', exact: true })
    .or(page.getByText(/^Submit \d/))
    .first()
    .waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol !== 'blob:') asked.push(`${request.method()} ${pathname}`);
  });
  await button.click();
  await page.waitForURL(/\/triage/);
  return asked;
}

/** All that the worker of the page finds in a file, with blobs read. */
async function foundHere(page: Page, path: string, logType: string, plan: TriagePlan) {
  const script = readdirSync(join(projectRoot(), 'dist/web/assets')).find((name) => /^triage-worker.*\.js$/.test(name));
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', id: 'log' });
    document.body.append(input);
  });
  await page.locator('#log').setInputFiles(path);
  const text = await page.evaluate(
    async ([url, type, json]) => {
      const file = document.querySelector<HTMLInputElement>('#log')!.files![0]!;
      const worker = new Worker(url!, { type: 'module' });
      // oxlint-disable-next-line typescript/no-explicit-any -- the page's own message, read below
      const report = await new Promise<any>((resolve, reject) => {
        worker.addEventListener('message', ({ data }) => {
          if (data.at === 'done') resolve(data.report);
          else if (data.at === 'failed') reject(new Error(data.message));
        });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
        worker.postMessage({ file, logType: type, plan: JSON.parse(json!) });
      });
      worker.terminate();
      const { samples: kept, rules, derived, ...rest } = report;
      const listOf = ({ blob, ends }: { blob: Blob; ends: number[] }) =>
        Promise.all(ends.map((end, at) => blob.slice(ends[at - 1] ?? 0, end).text()));
      const parsed = async (blob: Blob) => JSON.parse(await blob.text());
      return JSON.stringify({
        ...rest,
        events: rest.events,
        samples: (await listOf(kept)).map((each) => JSON.parse(each)),
        rules: await listOf(rules),
        analytics: await parsed(derived.analytics),
        processTree: await parsed(derived.processTree),
        alerts: await parsed(derived.alerts),
      });
    },
    [`/assets/${script}`, logType, JSON.stringify(plan)],
  );
  return JSON.parse(text);
}

/** The report that the service makes of a file. */
async function foundThere(baseUrl: string, path: string) {
  const form = new FormData();
  const { workflows } = await call(operations.getHome, {}, { baseUrl });
  const name = path.split('/').at(-1)!;
  const bytes = await readFile(path);
  const logType = detectLogType(bytes.subarray(0, 65_536));
  form.set('workflow_id', String(usualWorkflow(workflows, logType)!.id));
  form.set('file', new Blob([bytes]), name);
  const accepted = await fetch(`${baseUrl}/upload`, { method: 'POST', body: form });
  const { job_id: id } = (await accepted.json()) as SubmittedJob;
  const at = { baseUrl };
  await expect.poll(async () => (await call(operations.getJobProgress, { id }, at)).terminal, patient).toBe(true);
  const { findings } = await call(operations.listFindings, { id }, at);
  return {
    logType,
    plan: await call(operations.getTriagePlan, { workflow_id: usualWorkflow(workflows, logType)!.id }, at),
    job: await call(operations.getJob, { id }, at),
    findings,
    samples: await Promise.all(
      findings.map(async (row) => (await call(operations.getFindingEvents, { id: row.id }, at)).events),
    ),
    rules: await Promise.all(
      findings.map(async (row) => (await call(operations.getFindingRule, { id: row.id }, at)).content),
    ),
    analytics: (await call(operations.getAnalytics, { id }, at)).analytics,
    processTree: await call(operations.getProcessTree, { id }, at),
    timeline: await call(operations.getEventsTimeline, { id }, at),
  };
}

/** Processes with the rules of their findings in place of the numbers of those. */
function plainProcesses({ roots, stats }: ProcessTree, findings: readonly FindingRow[]): unknown {
  const titles = new Map(findings.map(({ id, rule_name: name }) => [id, name]));
  const plain = (node: ProcessNode): unknown => ({
    ...node,
    findings: node.findings.map((id) => titles.get(id)!).sort(),
    children: node.children.map(plain),
  });
  return { roots: roots.map(plain), stats };
}

/** Markers without the numbers of jobs and findings. */
function plainTimeline({ items, ...rest }: EventsTimeline): unknown {
  return {
    ...rest,
    items: items.map((item) => ({ ...item, id: '', meta: { ...item.meta, job_id: 0, finding_id: 0 } })),
  };
}

describeWithSharedData('logs that are analysed in the browser', () => {
  describeInBrowser('triage', ({ open, errors, server }) => {
    it.each([
      'evtx/sysmon-mixed-large.evtx',
      'evtx/sysmon-atomic-red-team.evtx',
      'evtx/security-4625-bruteforce.evtx',
      'logs/auditd/centos9-audit.log',
      'logs/compressed/auditd.log.gz',
    ])('yield the report that the service makes: %s', async (path) => {
      const file = sharedData(path);
      const there = await foundThere(server().url, file);
      const here = await foundHere(await open('/triage'), file, there.logType, there.plan);
      if (path.startsWith('evtx')) expect(there.findings.length).toBeGreaterThan(0);
      // Rows are numbered by their place here, and no task of a job has made them.
      const numbered = there.findings.map((row, place) => ({ ...row, id: place + 1, task_result_id: 0 }));
      expect(here.findings).toEqual(numbered);
      expect(here.samples).toEqual(there.samples);
      expect(here.rules).toEqual(there.rules);
      expect(here.analytics).toEqual(there.analytics);
      expect(plainProcesses(here.processTree, here.findings)).toEqual(
        plainProcesses(there.processTree, there.findings),
      );
      expect(plainTimeline(eventsTimeline([{ jobId: 0, index: here.alerts, clockOffset: 0 }], {}))).toEqual(
        plainTimeline(there.timeline),
      );
      const { job } = there;
      expect(here).toMatchObject({
        events: job.events,
        warnings: job.warnings,
        totalFindings: job.total_findings,
        distinctRules: job.distinct_rules,
        severitySummary: job.severity_summary,
        scoreRatio: job.score_ratio,
        firstEventAt: job.first_event_at,
        lastEventAt: job.last_event_at,
      });
    });

    it('show a report like any other, while nothing but the rules is asked for', async () => {
      const page = await open('/');
      const asked = await analyseHere(page, join(samples, 'intrusion-sysmon.evtx'));
      await page.getByText('Nothing of this log has left this machine').waitFor();
      await page.getByRole('tab', { name: 'Process tree' }).click({ timeout: 60_000 });
      await page.getByRole('tree', { name: 'Processes' }).getByText('winword.exe', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      const matches = page.getByRole('region', { name: 'Matches in order of time' });
      await matches.getByRole('button', { name: /Memory Dump Through Comsvcs/ }).click();
      await page.getByRole('heading', { name: 'Memory Dump Through Comsvcs' }).waitFor();
      await page.getByRole('tab', { name: 'Rule', exact: true }).click();
      await page.getByText('license: Apache-2.0').waitFor();
      await page.getByRole('tab', { name: 'Heuristics' }).click();
      await page.getByRole('region', { name: 'Credential access' }).waitFor();
      const savedAs = async (form: string): Promise<string> => {
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        const download = page.waitForEvent('download');
        await page.getByRole('menuitem', { name: form }).click();
        return readFile(await (await download).path(), 'utf8');
      };
      const saved = JSON.parse(await savedAs('Findings as JSON')) as { rule_name: string }[];
      expect(saved.map(({ rule_name: name }) => name)).toContain('Memory Dump Through Comsvcs');
      const handed = await savedAs('Report as HTML');
      for (const told of ['Verdict: Critical', 'the log was not sent', 'CommandLine: ']) expect(handed).toContain(told);
      expect(handed).toMatch(/<dt>SHA-256<\/dt><dd>[0-9a-f]{64}<\/dd>/);
      expect((await savedAs('Findings as CSV')).split('\r\n')).toHaveLength(saved.length + 2);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        expect(await seriousBreaches(page)).toEqual([]);
      }
      expect(asked.filter((request) => !allowed.test(request.replace('GET ', '')))).toEqual([]);

      await page.getByRole('button', { name: 'Submit it' }).click();
      await page.getByRole('button', { name: /^Open job \d+/ }).click({ timeout: 60_000 });
      await page.waitForURL(/\/jobs\/\d+/);
      await page.getByRole('heading', { name: 'intrusion-sysmon.evtx' }).waitFor();
      expect(errors()).toEqual([]);
    });

    it('of a log without findings tell what is in it, here and at the service, and hand it over', async () => {
      const page = await open('/');
      const lines = Array.from({ length: 40 }, (_, at) => {
        const [hour, minute] = [at < 20 ? '10' : '16', String(at % 20).padStart(2, '0')];
        return `2026-03-01T${hour}:${minute}:00+00:00 srv${at % 2} sshd[71]: Accepted publickey for ada from 192.0.2.7 port 22 ssh2\n`;
      });
      const file = { name: 'calm.log', mimeType: 'text/plain', buffer: Buffer.from(lines.join('')) };
      await page.getByLabel('Log files to submit').setInputFiles(file);
      await page.getByRole('button', { name: 'Analyse in this browser' }).click(patient);
      const contents = page.getByRole('region', { name: 'What was in the log' });
      await contents.getByText('40 records, all of linux: syslog, sshd, auth.').waitFor(patient);
      await contents.getByText('From 2026-03-01 10:00:00 to 2026-03-01 16:19:00 UTC.').waitFor();
      await contents.getByText('Records name 2 hosts: srv0 (20 records) and srv1 (20 records).').waitFor();
      await contents
        .getByText(/^1 stretch of .* is without a record: 2026-03-01 10:19:00 to 2026-03-01 16:00:00 UTC/)
        .waitFor();
      await contents.getByText(/^Of [\d,\s]+ rules that ran, \d+ are for records of these kinds\.$/).waitFor();
      const here = await contents.innerText();
      expect(await seriousBreaches(page)).toEqual([]);

      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Report as HTML' }).click();
      const handed = await readFile(await (await download).path(), 'utf8');
      expect(handed).toContain('<h2>What was in the log</h2>');
      expect(handed).toContain('2026-03-01 10:19:00 to 2026-03-01 16:00:00 UTC');

      await page.getByRole('button', { name: 'Submit it' }).click();
      await page.getByRole('button', { name: /^Open job \d+/ }).click(patient);
      await page.waitForURL(/\/jobs\/\d+/);
      await contents.getByText('40 records').waitFor(patient);
      expect(await contents.innerText()).toBe(here);
      expect(errors()).toEqual([]);
    });

    it('fail where nothing could be read, and say why', async () => {
      const page = await open('/');
      const head = 'ElfFile\0'.padEnd(8192, 'x');
      const file = { name: 'noise.evtx', mimeType: 'application/octet-stream', buffer: Buffer.from(head) };
      await page.getByLabel('Log files to submit').setInputFiles(file);
      await page.getByRole('button', { name: 'Analyse in this browser' }).click(patient);
      await page.getByText('This log could not be analysed').waitFor(patient);
      await page.getByText(/^No engine of the workflow could read this file, so nothing was checked\. /).waitFor();
      expect(await page.getByRole('region', { name: 'Verdict' }).count()).toBe(0);
      expect(errors()).toEqual([]);
    });

    it('of 190 MiB do not hold up the page, and can be cancelled', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'svc-triage-'));
      try {
        const log = join(folder, 'big.evtx');
        await writeBigLog(log);
        const page = await open('/');
        await page.evaluate(() => {
          const tasks: number[] = ((window as unknown as { tasks: number[] }).tasks = []);
          new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
            type: 'longtask',
          });
        });
        const startedAt = performance.now();
        await analyseHere(page, log);
        await page.getByText(/matched so far/).waitFor({ timeout: 60_000 });
        await page.getByRole('button', { name: 'Cancel', exact: true }).click();
        await page.getByRole('heading', { name: 'Cancelled' }).waitFor({ timeout: 10_000 });
        await page.getByRole('button', { name: 'Analyse again' }).click();
        await page.getByRole('region', { name: 'Verdict' }).waitFor({ timeout: 100_000 });
        await page.getByRole('button', { name: 'Details' }).click();
        await expect.poll(() => page.getByText(count(bigLog.events), { exact: true }).count()).toBe(1);
        const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
        console.info(`triage of 190 MiB: ${Math.round(performance.now() - startedAt)} ms, tasks ${tasks.join(' ')} ms`);
        // On a machine that does nothing else none takes 100 ms.
        expect(Math.max(0, ...tasks)).toBeLessThan(1000);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
});
