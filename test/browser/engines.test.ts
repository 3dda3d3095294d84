import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { enginesOf, FakeEngine, finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import type { EngineRunner } from '@svc/application/ports/engine-runner.ts';
import { runBackgroundTask } from '@svc/application/work/run-background-task.ts';
import type { BrowserContext, Page } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { sharedChromium } from '../support/chromium.ts';
import { openGateway, type OpenGateway } from '../support/open-gateway.ts';
import { describeWith } from '../support/programs.ts';
import { signIn } from '../support/sessions.ts';

/** Engines of the test's own: the built-in one, and one that is a program of others. */
const native = new FakeEngine('sigma-native');
const hunt = Object.assign(new FakeEngine('evtx-hunt'), { isBuiltIn: false });
const engines = enginesOf((name) => [native, hunt].find((engine) => engine.name === name) ?? null);

const detection = (lines: string) =>
  `title: T\nlogsource:\n  product: windows\n  category: process_creation\ndetection:\n  s:\n    ${lines}\n  condition: s\n`;
const shared = finding({ ruleId: '0f06a3a5-0000-4000-8000-000000000001', ruleName: 'Both see it', severity: 'medium' });
const dashes = finding({
  ruleId: '0f06a3a5-0000-4000-8000-000000000002',
  ruleName: 'Only the built-in one sees it',
  severity: 'high',
  ruleSource: detection('CommandLine|windash|contains: -enc'),
});
const own = finding({ ruleId: null, ruleName: 'A rule of the other alone', severity: 'low', ruleSource: null });

describeWith('browser', 'engines side by side', () => {
  let gateway: OpenGateway;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];
  let found: Awaited<ReturnType<EngineRunner['find']>> = { missing: 'No program chainsaw is on the PATH' };
  const engineRunner: EngineRunner = {
    run: () => Promise.reject(new Error('nothing is run here')),
    find: async () => found,
    prepare: async () => undefined,
  };
  beforeAll(async () => {
    gateway = await openGateway({ web: join(projectRoot(), 'dist/web'), over: () => ({ engines, engineRunner }) });
    browser = await sharedChromium();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await gateway?.close();
  });

  async function open(path: string, { cookie, width = 1440, scheme = 'dark' }: View = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    contexts.push(context);
    const [, name = '', value = ''] = /^(.+?)=(.*)$/.exec(cookie ?? '') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name, value, url: gateway.url }]);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(gateway.url + path);
    return page;
  }

  /** A job that both engines have read, with its sample events where the gateway reads them. */
  function analyzed(): Promise<number> {
    const { objects } = gateway.test.ports;
    return analyzeLog({ ...gateway.ports, objects, engines }, { kind: 'anonymous', ip: '192.0.2.1' });
  }

  async function isNarrow(page: Page): Promise<boolean> {
    return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  }

  it('shows in a report what each engine found, why they differ, and who else found a finding', async () => {
    native.behave = async () => output({ findings: [shared, dashes] });
    hunt.behave = async () => output({ findings: [shared, own] });
    const job = await analyzed();
    const page = await open(`/jobs/${job}`);
    await page.getByRole('button', { name: /Both see it.*sigma-native, evtx-hunt/ }).waitFor();
    await page.getByRole('tab', { name: 'Engines' }).click();
    const table = page.getByRole('region', { name: 'Rules by engine' });
    const row = (name: string) => table.getByRole('row').filter({ hasText: name });
    await row('Both see it').getByText('They agree').waitFor();
    await row('Only the built-in one').getByText('not loaded: unsupported modifiers - windash').waitFor();
    await row('A rule of the other').getByText('a rule of its own').waitFor();
    await table.getByRole('columnheader', { name: /sigma-native.*2 rules, 1 only here/ }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);

    await page.getByRole('button', { name: 'Disagreement 2' }).press('Enter');
    await row('Both see it').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/differ=true/);
    await page.getByRole('group', { name: 'Severities' }).getByRole('button', { name: /High/ }).click();
    await page.getByText('1 of 3 rules shown').waitFor();
    await row('Only the built-in one')
      .getByRole('button', { name: /by sigma-native/ })
      .press('Enter');
    await page
      .getByRole('article', { name: 'Only the built-in one sees it' })
      .getByText('sigma-native alone')
      .waitFor();

    await page.goto(`${gateway.url}/jobs/${job}`);
    await page.getByRole('button', { name: /Both see it.*sigma-native, evtx-hunt/ }).click();
    const panel = page.getByRole('article', { name: 'Both see it' });
    await panel.getByText('sigma-native, evtx-hunt', { exact: true }).waitFor();
    await panel.getByText('Matched by evtx-hunt, sigma-native').waitFor();
    await panel.getByRole('button', { name: 'What each engine found' }).press('Enter');
    await row('Both see it').getByText('They agree').waitFor();
    const small = await open(`/jobs/${job}?view=engines`, { width: 768, scheme: 'light' });
    await small.getByText('They agree').waitFor();
    expect(await isNarrow(small)).toBe(true);
    expect(await seriousBreaches(small)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('lists what several engines found of a rule once, counts each record once, and plots all of it', async () => {
    const [event] = shared.events;
    const of = (records: readonly string[], severity: 'medium' | 'critical') => {
      const events = records.map((recordId) => ({ ...event!, recordId }));
      return { ...shared, severity, count: events.length, events, lastSeen: '2026-08-01T13:00:00Z' };
    };
    const hours = ['2026-08-01T10', '2026-08-01T13'].map((hour) => ({ hour, groups: new Map([['execution', 1]]) }));
    native.behave = async () => output({ findings: [of(['1', '2'], 'medium')], derived: derived({ hours }) });
    hunt.behave = async () => output({ findings: [of(['1', '2'], 'critical'), own] });
    const job = await analyzed();
    const page = await open(`/jobs/${job}`);
    const list = page.getByRole('region', { name: 'Medium findings' });
    await list.getByRole('button', { name: /Both see it.*sigma-native, evtx-hunt/ }).waitFor();
    await list.getByText('1 rule · 2 events').waitFor();
    expect(await page.getByRole('region', { name: 'Critical findings' }).count()).toBe(0);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('3 matched events').waitFor();
    await verdict.getByText('2 rules').waitFor();
    await page.goto(`${gateway.url}/jobs/${job}?view=engines`);
    const cells = page.getByRole('row').filter({ hasText: 'Both see it' });
    await cells.getByText(', critical').waitFor();
    await cells.getByText('2 of 2').waitFor();
    await cells.getByRole('button', { name: /by evtx-hunt/ }).click();
    await page.getByRole('article', { name: 'Both see it' }).waitFor();
    await page.goto(`${gateway.url}/jobs/${job}?severity=medium`);
    await list.getByText('1 rule · 2 events').waitFor();
    const plotted = page.getByRole('region', { name: /Matches/ });
    await plotted.waitFor();
    expect(await page.getByText(/without a time/).count()).toBe(0);
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('has no such view where one engine ran', async () => {
    native.behave = async () => output({ findings: [shared] });
    const alone = enginesOf((name) => (name === native.name ? native : null));
    const job = await analyzeLog({ ...gateway.ports, engines: alone }, { kind: 'anonymous', ip: '192.0.2.1' });
    const page = await open(`/jobs/${job}?view=engines`);
    await page.getByRole('tab', { name: 'Findings' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Engines' }).count()).toBe(0);
  });

  it('enables an engine for every process, and says what a worker finds of it', async () => {
    const { ports } = gateway;
    const cookie = await signIn(ports, 'admin', 'keeper');
    const work = async () => {
      const [task] = await ports.backgroundTasks.inFlight();
      const lease = { kind: 'test_engine', taskId: task!.id, targetId: task!.targetId! } as const;
      await runBackgroundTask(ports, lease, new AbortController().signal);
    };
    const page = await open('/admin/engines', { cookie });
    const card = page.getByRole('region', { name: 'Chainsaw' });
    await card.getByText('Not enabled').waitFor();
    await card.getByRole('button', { name: 'Enable Chainsaw' }).press('Enter');
    await card.getByText('waits for a worker').waitFor();
    expect((await ports.engineSettings.all()).get('evtx-hunt')).toMatchObject({ enabled: true });
    await work();
    await card.getByText('Enabled, and cannot run').waitFor();
    await card.getByText('No program chainsaw is on the PATH').first().waitFor();

    found = { version: '2.16.4', at: '/opt/chainsaw/chainsaw', digest: null };
    await card.getByRole('button', { name: 'Test now: Chainsaw' }).click();
    await card.getByText('waits for a worker').waitFor();
    await work();
    await card.getByText('Version 2.16.4').waitFor();

    await card.getByRole('button', { name: 'Where it is: Chainsaw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where Chainsaw is' });
    await dialog.getByRole('button', { name: 'Image', exact: true }).click();
    await dialog.getByLabel('Name of the image').fill('registry.example/hunt:2');
    expect(await seriousBreaches(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByText('registry.example/hunt:2').waitFor();
    await card.getByRole('button', { name: 'Pull image of Chainsaw' }).waitFor();
    await work();
    await card.getByText('How to install Chainsaw').click();
    expect(await seriousBreaches(page)).toEqual([]);

    const small = await open('/admin/engines', { cookie, width: 768, scheme: 'light' });
    await small.getByRole('region', { name: 'Chainsaw' }).waitFor();
    expect(await isNarrow(small)).toBe(true);
    expect(await seriousBreaches(small)).toEqual([]);
    expect(errors).toEqual([]);
  });
});

interface View {
  readonly cookie?: string;
  readonly width?: number;
  readonly scheme?: 'dark' | 'light';
}
