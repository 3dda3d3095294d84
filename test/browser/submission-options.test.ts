import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { describeInBrowser } from '../support/browser.ts';

const line = (id: number) => `${JSON.stringify({ EventID: 4688, Channel: 'Security', Computer: 'ws1', Note: id })}\n`;
const logOf = (name: string, id: number) => ({ name, mimeType: 'application/json', buffer: Buffer.from(line(id)) });
/** Where to keep pictures of the pages for people to look at; none by default. */
const pictures = process.env['SCREENSHOTS'];

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

describeInBrowser('options of a submission', ({ open, openAsAdmin, errors, server }) => {
  async function choose(page: Page, ...files: ReturnType<typeof logOf>[]): Promise<void> {
    await page.locator('input[type=file]').setInputFiles(files);
    await page
      .getByRole('region', { name: /^Options/ })
      .first()
      .waitFor();
  }

  it('shows what was just submitted among the recent jobs, and how it ends', async () => {
    const page = await open('/');
    await choose(page, logOf('first.json', 101), logOf('second.json', 102));
    await page.getByRole('button', { name: 'Submit 2 files' }).click();
    const recent = page.getByRole('region', { name: 'Recent jobs' });
    for (const name of ['first.json', 'second.json']) {
      const row = recent.getByRole('listitem').filter({ hasText: name });
      await row.getByText('Completed').waitFor({ timeout: 30_000 });
    }
    expect(errors()).toEqual([]);
  });

  it('says which of the files are left out and why, and that a damaged log was read in part', async () => {
    const page = await open('/');
    await page.getByText('Everyone who can open this page will be able to read the report').waitFor();
    await page.getByText('Analyse in this browser', { exact: true }).waitFor();
    const evtx = await readFile(join(projectRoot(), 'config/samples/intrusion-sysmon.evtx'));
    // Records of the first chunk, amid which a name is overwritten.
    const damaged = Buffer.concat([evtx.subarray(0, 5000), Buffer.alloc(600, 0xff), evtx.subarray(5600)]);
    await page
      .locator('input[type=file]')
      .setInputFiles([
        { name: 'damaged.evtx', mimeType: 'application/octet-stream', buffer: damaged },
        { name: 'nothing.evtx', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0) },
        { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
        logOf('whole.json', 105),
      ]);
    const left = page.getByRole('status', { name: 'Not submitted with the others' });
    await left.getByText('1 file left out: empty (nothing.evtx)').waitFor();
    await left.getByText('1 file left out: a picture (PNG) (shot.png)').waitFor();
    await page.getByText('This file is empty (0 bytes).').waitFor();
    await page.getByRole('button', { name: 'Submit 2 files' }).click();
    const recent = page.getByRole('region', { name: 'Recent jobs' });
    const rowOf = (name: string) => recent.getByRole('listitem').filter({ hasText: name });
    await rowOf('damaged.evtx').getByText('Partly read').waitFor({ timeout: 60_000 });
    await rowOf('whole.json').getByText('Completed').waitFor({ timeout: 60_000 });
    await page
      .getByRole('region', { name: 'Files to submit' })
      .getByRole('listitem')
      .filter({ hasText: 'damaged.evtx' })
      .getByText('Partly read')
      .waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('row').filter({ hasText: 'damaged.evtx' }).getByText('Partly read').waitFor();
    expect(errors()).toEqual([]);
  });

  it('sends at once what an account wants sent at once', async () => {
    const page = await openAsAdmin('/account');
    await page.getByRole('switch', { name: 'Always send at once' }).click();
    await page.getByRole('region', { name: 'Submitting' }).getByText('Saved').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Submit' }).click();
    await page.getByText('sent at once').waitFor();
    await page.locator('input[type=file]').setInputFiles([logOf('at-once.json', 106)]);
    const row = page.getByRole('region', { name: 'Recent jobs' }).getByRole('listitem').filter({ hasText: 'at-once' });
    await row.getByText('Completed').waitFor({ timeout: 60_000 });
    // The other tests have the same account.
    await page.goto(`${server().url}/account`);
    await page.getByRole('switch', { name: 'Always send at once' }).click();
    await page.getByRole('region', { name: 'Submitting' }).getByText('Saved').waitFor();
    expect(errors()).toEqual([]);
  });

  it('submits several files privately, tagged and in a new case, and one of them otherwise', async () => {
    const page = await openAsAdmin('/');
    await choose(page, logOf('a.json', 1), logOf('b.json', 2), logOf('c.json', 3));
    const all = page.getByRole('region', { name: 'Options for all files' });
    await all.getByRole('switch', { name: 'Private' }).click();
    await all.getByLabel('Tags').fill('Phishing,');
    await all.getByLabel('Tags').pressSequentially('needs triage');
    await page.keyboard.press('Enter');
    await all.getByLabel('Case').selectOption('New case…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Phish wave');
    await dialog.getByRole('button', { name: 'Open case' }).click();
    await expect.poll(() => all.getByLabel('Case').locator('option:checked').innerText()).toBe('Phish wave');
    await page.getByRole('button', { name: 'Options of c.json' }).click();
    const own = page.getByRole('region', { name: 'Options of c.json' });
    await own.getByRole('switch', { name: 'Private' }).click();
    await own.getByLabel('Case').selectOption('No case');
    await picture(page, 'options-1440-dark');
    await page.getByRole('button', { name: 'Submit 3 files' }).click();
    await page.getByText('3 submitted').waitFor({ timeout: 30_000 });
    await picture(page, 'submitted-1440-dark');
    await page.goto(`${server().url}/jobs`);
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('a.json').getByLabel('Private').waitFor();
    await row('a.json').getByLabel('In 1 case').waitFor();
    // Behind the number of tags that have no room, once rules have given one of theirs.
    const tagged = (name: string) =>
      row(name).getByText('needs triage').or(row(name).locator('[data-hint*="needs triage"]'));
    await tagged('a.json').waitFor();
    await tagged('c.json').waitFor();
    expect(await row('c.json').getByLabel('Private').count()).toBe(0);
    expect(await row('c.json').getByLabel('In 1 case').count()).toBe(0);
    await picture(page, 'jobs-1440-dark');
    await page.getByRole('link', { name: 'a.json' }).click();
    await page.getByText('Phish wave').waitFor();
    await page.getByRole('list', { name: 'Tags' }).getByText('phishing').waitFor();
    await picture(page, 'job-1440-dark');
    expect(errors()).toEqual([]);
  });

  it('says what to do about a file that was not accepted, and retries it without making two jobs', async () => {
    const page = await openAsAdmin('/', { scheme: 'light' });
    let sendings = 0;
    await page.route('**/upload', async (route) => {
      sendings += 1;
      if (sendings > 2) return route.continue();
      if (sendings === 2) {
        const body = { detail: 'Somebody has taken the case away', code: 'case_not_found', request_id: 'r1' };
        return route.fulfill({ status: 404, contentType: 'application/json', json: body });
      }
      // The service takes the file, and its answer is lost.
      await route.fetch();
      return route.abort('connectionreset');
    });
    await choose(page, logOf('lost.json', 4), logOf('other.json', 5));
    await page.getByRole('switch', { name: 'Analyse again if known' }).click();
    await page.getByRole('button', { name: 'Submit 2 files' }).click();
    await page.getByText('The connection to the service is lost; the file is still here').waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody has taken the case away' });
    await alert.getByText('then retry').waitFor();
    await picture(page, 'refused-1440-light');
    await page.getByRole('button', { name: /^Retry (lost|other)\.json$/ }).click();
    await page.getByText('2 submitted').waitFor({ timeout: 30_000 });
    const list = await page.evaluate(async () => {
      const response = await fetch('/jobs', { headers: { accept: 'application/json' } });
      return (await response.json()) as { jobs: { filename: string }[] };
    });
    // Which of the two is sent first is left to the network.
    const names = list.jobs.map(({ filename }) => filename).filter((filename) => /^(lost|other)\.json$/.test(filename));
    expect(new Set(names)).toEqual(new Set(['lost.json', 'other.json']));
    expect(names).toHaveLength(2);
    expect(errors()).toEqual([]);
  });

  it.each([
    [1440, 'light'],
    [768, 'dark'],
    [768, 'light'],
  ] as const)('fits at %i px (%s), by keyboard too', async (width, scheme) => {
    const page = await openAsAdmin('/', { width, height: width === 768 ? 1024 : 900, scheme });
    await choose(page, logOf('a.json', 1), logOf('a-much-longer-name-of-a-log-of-the-domain-controller.json', 6));
    const all = page.getByRole('region', { name: 'Options for all files' });
    await all.getByLabel('Tags').focus();
    await page.keyboard.type('phi');
    await page.getByRole('option', { name: /phishing/ }).waitFor();
    await picture(page, `suggest-${width}-${scheme}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await page.getByRole('button', { name: 'Options of a.json' }).click();
    await page.getByRole('region', { name: 'Options of a.json' }).waitFor();
    await picture(page, `options-${width}-${scheme}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.goto(`${server().url}/jobs`);
    await page.getByText('a.json').first().waitFor();
    await picture(page, `jobs-${width}-${scheme}`);
    expect(errors()).toEqual([]);
  });

  it('offers visitors what they may choose, and says why that is less', async () => {
    const page = await open('/', { scheme: 'light' });
    await choose(page, logOf('a.json', 1));
    await page.getByText('Everyone here can read these reports').waitFor();
    expect(await page.getByLabel('Tags').count()).toBe(0);
    expect(await page.getByLabel('Case').count()).toBe(0);
    await picture(page, 'visitor-1440-light');
    expect(errors()).toEqual([]);
  });

  it('stays smooth with as many files as are taken, and says how many were too many', async () => {
    const page = await openAsAdmin('/');
    await page.route('**/api/ui/home', async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...((await response.json()) as object), max_upload_files: 500 } });
    });
    await page.reload();
    const many = Array.from({ length: 520 }, (_, id) => logOf(`host-${id}.json`, id));
    await choose(page, ...many);
    await page.getByText('20 files were left out: this service takes 500 at a time').waitFor();
    await page.getByRole('button', { name: 'Submit 500 files' }).waitFor({ timeout: 30_000 });
    await picture(page, 'many-1440-dark');
    // The longest piece of work on the page's thread while an option of all files changes, in milliseconds.
    const longest = await page.evaluate(async () => {
      let most = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) most = Math.max(most, duration);
      }).observe({ entryTypes: ['longtask'] });
      for (let turn = 0; turn < 4; turn += 1) {
        document.querySelector<HTMLInputElement>('[aria-label="Options for all files"] input[type=checkbox]')?.click();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      return most;
    });
    // Generous for a busy machine: without memory of the rows, and all of them laid out, it is seconds.
    expect(longest).toBeLessThan(1500);
    console.log(`longest task with 500 files: ${Math.round(longest)} ms`);
    expect(errors()).toEqual([]);
  });
});
