import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import type { paths } from '../../frontend/src/paths.ts';
import { rulesOfColours, seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** A page in a state that it can be linked to. */
interface Place {
  readonly address: string;
  /** Heading or text that is there once the page is. */
  readonly ready: string | RegExp;
  /** It says that there is nothing: the browser's own complaint of that answer is expected. */
  readonly missing?: true;
}

/** Every path of the app; a page that is added is added here. */
const admin: Readonly<Record<keyof typeof paths, Place>> = {
  submit: { address: '/', ready: /Drop/ },
  jobs: { address: '/jobs', ready: 'intrusion-sysmon.evtx' },
  job: { address: '/jobs/1', ready: 'matched events' },
  batch: { address: '/batches/1', ready: 'Batch of 2 files' },
  compare: { address: '/jobs/compare?a=1&b=2', ready: /Only in A/ },
  triage: { address: '/triage', ready: 'No log is analysed in this browser' },
  watching: { address: '/jobs/watching', ready: 'You watch no job' },
  guide: { address: '/docs', ready: 'Submitting a log' },
  login: { address: '/login', ready: /sign/i },
  account: { address: '/account', ready: 'Change password' },
  dashboard: { address: '/admin', ready: /^Ready/ },
  users: { address: '/admin/users', ready: 'admin@localhost' },
  apiTokens: { address: '/admin/api-tokens', ready: 'Create token' },
  rulePacks: { address: '/admin/rule-packs', ready: 'Import a pack' },
  packRules: { address: '/admin/rule-packs/core', ready: /rules/ },
  entities: { address: '/intel', ready: 'Hashes' },
  entityList: { address: '/intel/entities?q=type:hash', ready: 'Hashes' },
  entity: { address: '/intel/entities/1', ready: 'Named together' },
  alertRules: { address: '/intel/rules', ready: 'Alert rules' },
  cases: { address: '/intel/cases', ready: 'Phish wave' },
  case: { address: '/intel/cases/1', ready: 'Nobody has written a summary yet' },
  alertRule: { address: '/intel/rules/1/edit', ready: 'Tags to give' },
  feeds: { address: '/intel/feeds', ready: 'TAXII is off' },
  tags: { address: '/intel/tags', ready: /needs_triage/ },
  rules: { address: '/rules', ready: /newest of/ },
  suppressions: { address: '/suppressions', ready: /Suppressions/ },
  runningRules: { address: '/rules/core', ready: /rules/ },
  ruleEditor: { address: '/admin/rule-packs/custom/edit', ready: /^Compiles/ },
  tasks: { address: '/admin/tasks', ready: 'Recent' },
  storage: { address: '/admin/storage', ready: 'Largest jobs' },
  aiProviders: { address: '/admin/ai', ready: 'No AI providers yet' },
  workflows: { address: '/admin/workflows', ready: 'Windows Full Analysis' },
  workflow: { address: '/admin/workflows/1', ready: 'Tasks, in order' },
  enrichment: { address: '/admin/enrichment', ready: 'No service is asked yet' },
  engines: { address: '/admin/engines', ready: 'Hayabusa' },
  workers: { address: '/admin/workers', ready: 'Jobs under way' },
  activity: { address: '/admin/activity', ready: 'Nothing is recorded now' },
  settings: { address: '/admin/settings', ready: 'Read-only demonstration' },
};
/** What else of entities, rules and tasks can be linked to. */
const tabsOfPages: readonly Place[] = [
  { address: '/admin/tasks?view=queue', ready: 'Delayed' },
  { address: '/admin/tasks?view=scheduled', ready: 'Next (UTC)' },
  { address: '/admin/tasks?view=anew', ready: 'Analytics of all jobs' },
  { address: '/intel/rules?view=lists', ready: 'offensive_tools' },
  { address: '/intel/rules?view=alerts', ready: 'No alert waits' },
  { address: '/intel/rules?view=deliveries', ready: 'Nothing was told to a webhook yet' },
  { address: '/intel/rules?rule=new', ready: 'Tags to give' },
  { address: '/intel/cases/1?view=timeline', ready: 'Clocks of the logs' },
  { address: '/intel/cases/1?view=timeline&lanes=job', ready: 'Key events' },
  { address: '/intel/cases/1?view=findings', ready: /\d findings/ },
  { address: '/intel/cases/1?view=hosts', ready: 'First (UTC)' },
  { address: '/intel/cases/1?view=entities', ready: 'No entity is in this case yet' },
  { address: '/intel/cases/1?view=jobs', ready: 'intrusion-powershell.evtx' },
  { address: '/intel/cases/1?view=processes', ready: /process(es)? of \d logs?,/ },
  { address: '/intel/cases/1?view=graph', ready: 'Nothing in this case can be drawn' },
  { address: '/intel/cases/1?view=discussion', ready: 'Nobody has said anything about this case' },
  { address: '/intel/entities/1?view=findings', ready: /No finding names it|Matched events/ },
  { address: '/intel/entities/1?view=relationships', ready: /events?$|Nothing is known of how/ },
  { address: '/intel/entities/1?view=mitre', ready: /No technique is known|Navigator layer/ },
  { address: '/intel/entities/1?view=processes', ready: /in the report|No process|None of the|There is nothing/ },
  { address: '/intel/entities/1?view=discussion', ready: 'Nobody has said anything about this entity' },
];
const visitor: readonly Place[] = [
  { address: '/', ready: /Drop/ },
  { address: '/jobs', ready: 'intrusion-sysmon.evtx' },
  { address: '/jobs/1?tab=rule', ready: 'matched events' },
  { address: '/login', ready: 'Sign in' },
  { address: '/admin/users', ready: 'Sign in to continue' },
  { address: '/docs?q=evtx', ready: 'Submitting a log' },
  { address: '/jobs/999', ready: 'There is nothing at this address', missing: true },
  { address: '/nowhere', ready: 'There is nothing at this address' },
];

/** Each page is loaded once, at one of the widths by turns, then resized; it is seen in both themes at each. */
const widths = [1440, 768] as const;
const schemes = ['light', 'dark'] as const;

describeInBrowser('every page', ({ open, openAsAdmin, errors, server }) => {
  beforeAll(async () => {
    const { request } = await openAsAdmin('/login');
    const headers = { origin: server().url };
    const ask = async <T>(path: string): Promise<T> =>
      (await (await request.get(server().url + path, { headers })).json()) as T;
    for (const [place, name] of ['intrusion-sysmon', 'intrusion-powershell'].entries()) {
      await request.post(`${server().url}/api/ui/samples/${name}`, { headers });
      const isCompleted = async () => {
        const { jobs } = await ask<{ jobs: { status: string }[] }>(`/api/v1/jobs?ids=${place + 1}`);
        return jobs[0]?.status === 'completed';
      };
      await vi.waitUntil(isCompleted, { timeout: 60_000, interval: 200 });
    }
    await request.post(`${server().url}/batches`, { headers, data: { job_ids: [1, 2] } });
    await request.post(`${server().url}/api/v1/cases`, { headers, data: { name: 'Phish wave', is_shared: false } });
    const { workflows } = await ask<{ workflows: { id: number; is_default: boolean }[] }>('/api/v1/workflows');
    // Bytes that were analysed before: their jobs are put in the case at once.
    for (const name of ['intrusion-sysmon.evtx', 'intrusion-powershell.evtx']) {
      const file = { name, mimeType: 'application/octet-stream', buffer: readFileSync(`config/samples/${name}`) };
      const workflow = String(workflows.find((one) => one.is_default)!.id);
      const sent = await request.post(`${server().url}/upload`, {
        headers,
        multipart: { file, workflow_id: workflow, case_id: '1' },
      });
      if (!sent.ok()) throw new Error(`${name} was answered with ${sent.status()}`);
    }
  });

  it.each([
    ['the administrator', openAsAdmin, Object.values(admin)],
    ['the administrator, in its parts', openAsAdmin, tabsOfPages],
    ['visitors', open, visitor],
  ] as const)(
    'can be used by %s at both widths, in both themes',
    async (_, opened, places) => {
      const page = await opened('/login');
      const complaints = watchConsole(page);
      for (const { address, ready, missing } of places) {
        const before = complaints.length;
        await page.goto(server().url + address);
        await page.getByText(ready).filter({ visible: true }).first().waitFor();
        if (missing) complaints.length = before;
        await inspect(page, address, complaints);
      }
      expect([...complaints, ...errors()]).toEqual([]);
    },
    400_000,
  );

  it('can be used in each tab of a report and in a graph', async () => {
    const page = await openAsAdmin('/jobs/1');
    const complaints = watchConsole(page);
    await page.getByRole('tab', { name: 'Timeline' }).waitFor();
    const tabs = await page.getByRole('tablist', { name: 'Report' }).getByRole('tab').allInnerTexts();
    expect(tabs.length).toBeGreaterThan(4);
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await inspect(page, `the tab ${tab}`, complaints);
    }
    await page.goto(`${server().url}/intel/entities/1?view=graph`);
    await page.locator('[data-drawn]').waitFor();
    await inspect(page, 'the graph of an entity', complaints);
    expect([...complaints, ...errors()]).toEqual([]);
  }, 300_000);

  it.each([
    ['/', 150_000],
    ['/jobs/1', 300_000],
  ])('loads at %s no more script than %i bytes before anything is clicked', async (address, most) => {
    const page = await open('/nowhere');
    // Nothing comes out of the cache then.
    await page.route('**', (route) => route.continue());
    const scripts: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      scripts.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto(server().url + address, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(most);
  });
});

function watchConsole(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${new URL(page.url()).pathname} console: ${message.text()}`);
  });
  return complaints;
}

/** Adds to the complaints what is wrong with the page, at the width and in the theme that it has and then in the others. */
async function inspect(page: Page, name: string, complaints: string[]): Promise<void> {
  const isLoadedAt = page.viewportSize()?.width;
  for (const width of widths.toSorted((one) => (one === isLoadedAt ? -1 : 1))) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    const complain = (what: string) => complaints.push(`${name} at ${width} px: ${what}`);
    if (!/\S · svc$/.test(await page.title())) complain(`its title is “${await page.title()}”`);
    // The last theme of one width is the first of the other.
    const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    for (const [place, colorScheme] of (isDark ? schemes.toReversed() : schemes).entries()) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      const breaches = await seriousBreaches(page, place === 0 ? undefined : rulesOfColours);
      for (const breach of breaches) complain(`${colorScheme}: ${breach}`);
    }
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (tooWide > 0) complain(`is ${tooWide} px wider than the window`);
    for (const element of await unseenFocus(page)) complain(`focus cannot be seen on ${element}`);
  }
}

/** The first elements that Tab leads to and that look the same with the focus and without. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  await focusBeforeAll(page);
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    const element = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body) return null;
      const look = () =>
        [focused, focused.parentElement!].map((one) => {
          const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one);
          return [outline, boxShadow, borderColor, backgroundColor].join();
        });
      // At once, not half way.
      focused.style.transition = focused.parentElement!.style.transition = 'none';
      const before = look().join();
      focused.blur();
      const after = look().join();
      focused.focus({ preventScroll: true });
      return before === after ? focused.outerHTML.slice(0, 120) : null;
    });
    if (element !== null) unseen.push(element);
  }
  await focusBeforeAll(page);
  return unseen;
}

/** Tab leads to the first element of the page then. */
function focusBeforeAll(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
}
