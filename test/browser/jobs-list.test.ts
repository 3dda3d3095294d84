import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Where to keep pictures of the pages for people to look at; none by default. */
const pictures = process.env['SCREENSHOTS'];

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

const line = (id: number) => `${JSON.stringify({ EventID: 4688, Channel: 'Security', Computer: 'ws1', Note: id })}\n`;
const sample = (name: string) => readFileSync(new URL(`../../config/samples/${name}.evtx`, import.meta.url));

describeInBrowser(
  'the jobs list',
  ({ open, openAsAdmin, errors, server }) => {
    async function submit(page: Page, name: string, buffer: Buffer, fields: Record<string, string> = {}) {
      const status = await page.evaluate(
        async ([fileName, base64, more]) => {
          const form = new FormData();
          form.append('workflow_id', '1');
          for (const [field, value] of Object.entries(more)) form.append(field, value);
          form.append('file', new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], fileName));
          return (await fetch('/upload', { method: 'POST', body: form })).status;
        },
        [name, buffer.toString('base64'), fields] as const,
      );
      if (status >= 300) throw new Error(`${name} was answered with ${status}`);
    }

    const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name.replaceAll('.', '\\.')) });

    const names = (page: Page) => page.locator('a[data-row]').allInnerTexts();
    const bar = (page: Page) => page.getByRole('region', { name: 'Chosen jobs' });

    it('says what to do while there is nothing, and fills with what is submitted', async () => {
      const page = await openAsAdmin('/jobs');
      await page.getByText('No jobs yet').waitFor();
      expect(await seriousBreaches(page)).toEqual([]);
      for (let id = 1; id <= 22; id += 1) await submit(page, `host-${id}.json`, Buffer.from(line(id)));
      const tags = 'needs triage,phishing';
      await submit(page, 'WKS-FIN-07 security of the whole weekend.evtx', sample('intrusion-security'), { tags });
      await submit(page, 'dc01-powershell.evtx', sample('intrusion-powershell'), { is_private: 'true' });
      await submit(page, 'srv-web-02-sysmon.evtx', sample('intrusion-sysmon'), { tags: 'phishing' });
      // The rows that it filled with first do not move for the others.
      await page.reload();
      await row(page, 'srv-web-02-sysmon').getByText('Completed').waitFor({ timeout: 60_000 });
      expect(errors()).toEqual([]);
    });

    it('sorts by severity, matches and age, and names the worst finding, which opens the report at it', async () => {
      const page = await openAsAdmin('/jobs');
      const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
      await expect.poll(async () => (await names(page))[0]).toBe('srv-web-02-sysmon.evtx');
      await head('Severity').getByRole('button').click();
      await page.waitForURL(/\/jobs\?sort=severity$/);
      await expect.poll(async () => (await names(page))[0]).toMatch(/evtx$/);
      expect(await head('Severity').getAttribute('aria-sort')).toBe('descending');
      await head('Matches').getByRole('button').click();
      await page.waitForURL(/sort=matches$/);
      await head('Matches').getByRole('button').click();
      await page.waitForURL(/sort=matches&order=asc$/);
      await expect.poll(async () => (await names(page))[0]).toBe('host-1.json');
      await head('Age').getByRole('button').click();
      await page.waitForURL(/\/jobs$/);
      expect(await head('Age').getAttribute('aria-sort')).toBe('ascending');
      const top = row(page, 'srv-web-02-sysmon').locator('a[href*="finding="]');
      const rule = await top.innerText();
      await top.click();
      await page.waitForURL(/\/jobs\/\d+\?finding=\d+/);
      await page
        .getByRole('heading', { name: rule.replace(/^[A-Z]\n/, '') })
        .first()
        .waitFor();
      expect(errors()).toEqual([]);
    });

    it.each([
      [1440, 'dark'],
      [1440, 'light'],
      [768, 'dark'],
      [768, 'light'],
    ] as const)('can be used by everyone at %i px (%s)', async (width, scheme) => {
      const page = await openAsAdmin('/jobs', { width, height: width === 768 ? 1024 : 900, scheme });
      await row(page, 'dc01-powershell').waitFor();
      expect(await seriousBreaches(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await page.getByRole('columnheader', { name: 'Top finding' }).count()).toBe(width === 1440 ? 1 : 0);
      await picture(page, `jobs-${width}-${scheme}`);
      await page.getByRole('button', { name: 'Roomy' }).click();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('t');
      await page.getByRole('option', { name: 'phishing' }).waitFor();
      await picture(page, `jobs-roomy-${width}-${scheme}`);
      expect(await seriousBreaches(page)).toEqual([]);
      expect(errors()).toEqual([]);
    });

    it('is worked by keyboard: choose, tag, undo, open', async () => {
      const page = await openAsAdmin('/jobs');
      await row(page, 'dc01-powershell').waitFor();
      for (const key of ['j', 'j', 'j', 'j', 'x', 'ArrowDown', 'ArrowDown', 'X']) await page.keyboard.press(key);
      await bar(page).getByText('3 jobs').waitFor();
      await page.keyboard.press('t');
      await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('Reviewed');
      await page.getByRole('option', { name: 'Create “reviewed”' }).waitFor();
      await page.getByRole('radio', { name: 'Teal' }).check();
      await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
      await bar(page).getByText('Tagged 3 jobs “reviewed”').waitFor();
      await page.keyboard.press('Escape');
      await picture(page, 'tagged-1440-dark');
      const tagged = page.getByRole('row').filter({ has: page.getByText('reviewed', { exact: true }) });
      await expect.poll(() => tagged.count()).toBe(3);
      await row(page, 'host-21.json').getByText('reviewed').waitFor();
      await page.reload();
      await expect.poll(() => tagged.count()).toBe(3);

      await row(page, 'host-22.json').getByRole('checkbox').click();
      await row(page, 'host-20.json')
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] });
      await bar(page).getByText('3 jobs').waitFor();
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await picture(page, 'untag-1440-dark');
      await page.getByRole('option', { name: /On all:\s*reviewed/ }).click();
      await bar(page).getByText('Took “reviewed” off 3 jobs').waitFor();
      await expect.poll(() => tagged.count()).toBe(0);
      await page.keyboard.press('Escape');
      await bar(page).getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => tagged.count()).toBe(3);
      await bar(page).getByRole('button', { name: 'Clear the selection' }).click();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);

      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await seriousBreaches(page)).toEqual([]);
      await picture(page, 'shortcuts-1440-dark');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await row(page, 'dc01-powershell').getByRole('link', { name: 'dc01-powershell.evtx' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/jobs\/\d+/);
      expect(errors()).toEqual([]);
    });

    it('chooses a page, then all that the list has', async () => {
      const page = await openAsAdmin('/jobs?q=host');
      await page.getByRole('checkbox', { name: 'Select all jobs of this page' }).click();
      await bar(page).getByText('20 jobs').waitFor();
      await picture(page, 'page-chosen-1440-dark');
      await bar(page).getByRole('button', { name: 'Select all 22' }).click();
      await bar(page).getByText('22 jobs').waitFor();
      await page.getByRole('button', { name: 'Next page' }).click();
      await expect.poll(() => names(page)).toEqual(['host-2.json', 'host-1.json']);
      await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(3);
      await page.locator('body').press('Escape');
      await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      expect(errors()).toEqual([]);
    });

    it('takes a refused change back, and says why', async () => {
      const page = await openAsAdmin('/jobs');
      await row(page, 'host-21.json').getByRole('checkbox').click();
      await page.route('**/jobs/bulk-tag', (route) => route.abort('connectionreset'));
      await page.keyboard.press('t');
      await page.getByRole('option', { name: 'phishing' }).click();
      await bar(page).getByText('The service cannot be reached').waitFor();
      expect(await row(page, 'host-21.json').getByText('phishing').count()).toBe(0);
    });

    it('remembers rows, density and columns, and keeps files in sight where columns do not fit', async () => {
      const page = await openAsAdmin('/jobs', { width: 768, height: 1024 });
      await page.getByRole('button', { name: '50', exact: true }).click();
      await page.waitForURL(/per=50/);
      await expect.poll(async () => (await names(page)).length).toBe(25);
      await page.getByRole('button', { name: 'Roomy' }).click();
      await page.waitForURL(/view=roomy/);
      await page.getByRole('button', { name: 'Columns' }).click();
      for (const name of ['Workflow', 'Size', 'Submitter']) await page.getByRole('menuitemcheckbox', { name }).click();
      await picture(page, 'columns-768-dark');
      await page.keyboard.press('Escape');
      await page.goto(`${server().url}/jobs`);
      await page.getByRole('columnheader', { name: 'Workflow' }).waitFor();
      await expect.poll(async () => (await names(page)).length).toBe(25);
      // All of what is cut can be read.
      await page.locator('main h1').evaluate((head) => {
        head.textContent = 'Jobs that are many';
        head.setAttribute('style', 'width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis');
      });
      await page.locator('main h1').hover();
      await page.getByRole('tooltip').getByText('Jobs that are many').waitFor();
      expect(await page.getByRole('button', { name: 'Roomy' }).getAttribute('aria-pressed')).toBe('true');
      const kept = (await page.context().cookies()).filter(({ name }) => name.startsWith('svc_jobs'));
      const year = Date.now() / 1000 + 365 * 24 * 3600;
      for (const { httpOnly, sameSite, path, expires } of kept) {
        expect({ httpOnly, sameSite, path }).toEqual({ httpOnly: false, sameSite: 'Lax', path: '/' });
        expect(Math.abs(expires - year)).toBeLessThan(600);
      }
      expect(new Map(kept.map(({ name, value }) => [name, value]))).toEqual(
        new Map([
          ['svc_jobs_per_page', '50'],
          ['svc_jobs_view', 'roomy'],
        ]),
      );
      const file = row(page, 'dc01-powershell').getByRole('link', { name: 'dc01-powershell.evtx' });
      await page.getByRole('columnheader', { name: 'Submitter' }).scrollIntoViewIfNeeded();
      expect((await file.boundingBox())?.x).toBeGreaterThan(0);
      await picture(page, 'columns-scrolled-768-dark');
      expect(await seriousBreaches(page)).toEqual([]);
      expect(errors()).toEqual([]);
    });

    it('searches by keyboard, takes a suggestion, and keeps the search in the address', async () => {
      const page = await openAsAdmin('/jobs');
      await row(page, 'dc01-powershell').waitFor();
      await page.keyboard.press('/');
      const box = page.getByRole('combobox', { name: 'Search jobs' });
      await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true);
      await page.keyboard.type('evtx se');
      const first = page.getByRole('option').first();
      await expect.poll(() => first.innerText()).toMatch(/^sev:/);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => box.inputValue()).toBe('evtx sev:');
      await page.keyboard.type('crit');
      await expect.poll(() => first.innerText()).toMatch(/^critical/);
      await picture(page, 'suggest-1440-dark');
      expect(await seriousBreaches(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => box.getAttribute('aria-activedescendant')).toMatch(/-0$/);
      await page.keyboard.press('Enter');
      await expect.poll(() => box.inputValue()).toBe('evtx sev:critical ');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=evtx\+sev%3Acritical/);
      await expect.poll(async () => (await names(page)).length).toBe(2);
      await page.getByRole('status').getByText('2 jobs found').waitFor({ state: 'attached' });
      await picture(page, 'found-1440-dark');
      await page.getByRole('button', { name: 'Roomy' }).click();
      await page.waitForURL(/view=roomy/);

      await box.fill('host-2 -host-21 -status:failed');
      await page.keyboard.press('Enter');
      await expect.poll(() => names(page)).toEqual(['host-22.json', 'host-20.json', 'host-2.json']);
      await page.goBack();
      await expect.poll(() => box.inputValue()).toBe('evtx sev:critical');
      await expect.poll(async () => (await names(page)).length).toBe(2);
      await page.goForward();
      await expect.poll(() => names(page)).toEqual(['host-22.json', 'host-20.json', 'host-2.json']);
      await page.reload();
      await expect.poll(() => names(page)).toEqual(['host-22.json', 'host-20.json', 'host-2.json']);

      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect.poll(async () => (await names(page)).length).toBe(20);
      await box.click();
      await page.getByRole('option', { name: 'evtx sev:critical' }).click();
      await expect.poll(async () => (await names(page)).length).toBe(2);
      expect(errors()).toEqual([]);
    });

    it('says which term finds nothing, and why', async () => {
      const page = await openAsAdmin('/jobs', { scheme: 'light' });
      const box = page.getByRole('combobox', { name: 'Search jobs' });
      await box.click();
      await page.keyboard.type('findings:lots status:fai');
      await page.getByRole('status').getByText('“lots” is no amount').waitFor();
      await picture(page, 'typed-problem-1440-light');
      await page.keyboard.press('Enter');
      await page.getByText('No job is met by this search').waitFor();
      expect(await page.getByText('“lots” is no amount').count()).toBe(1);
      await page.getByText('“fai” is no state of a job').waitFor();
      await picture(page, 'refused-1440-light');
      expect(await seriousBreaches(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear the search' }).last().click();
      await row(page, 'dc01-powershell').waitFor();
      expect(errors()).toEqual([]);
    });

    it('looks in names for what has no key, and says so where there is none', async () => {
      const page = await openAsAdmin('/jobs?q=stauts:failed');
      await page.getByText('This is no key, so it was looked for in names: stauts:').waitFor();
      expect(errors()).toEqual([]);
    });

    it('refuses visitors the tags of a search, and offers them none', async () => {
      const page = await open('/jobs?q=tag:phishing+host');
      await page.getByText('No job is met by this search').waitFor();
      await page.getByText(/tag:phishing.*member/i).waitFor();
      const suggested = page.waitForResponse(/\/jobs\/search-suggest/);
      await page.getByRole('combobox', { name: 'Search jobs' }).fill('ta');
      await suggested;
      expect(await page.getByRole('option', { name: /^tag:/ }).count()).toBe(0);
      expect(await seriousBreaches(page)).toEqual([]);
      expect(errors()).toEqual([]);
    });

    it('leads from a tag to the jobs that carry it, and back', async () => {
      const page = await openAsAdmin('/jobs', { width: 768, height: 1024, scheme: 'light' });
      await page.goto(`${server().url}/jobs?q=evtx`);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click();
      await page.keyboard.press('Escape');
      await row(page, 'WKS-FIN-07').getByRole('link', { name: 'needs triage' }).click();
      await page.waitForURL(/q=evtx&tags=needs\+triage/);
      await expect.poll(async () => (await names(page)).length).toBe(1);
      await picture(page, 'tagged-768-light');
      expect(await seriousBreaches(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove needs triage' }).click();
      await expect.poll(async () => (await names(page)).length).toBe(3);
      expect(errors()).toEqual([]);
    });

    it('saves a view, opens it, replaces and deletes it, all by keyboard', async () => {
      const page = await openAsAdmin('/jobs?q=evtx&tags=phishing&per=50');
      await expect.poll(async () => (await names(page)).length).toBe(2);
      const menu = page.getByRole('button', { name: 'Saved views' });
      const panel = page.getByRole('dialog', { name: 'Saved views' });
      const field = panel.getByRole('textbox', { name: 'Name of this view' });
      const isFocused = () => field.evaluate((input) => input === document.activeElement);
      await menu.press('Enter');
      await expect.poll(isFocused).toBe(true);
      await page.keyboard.type('To triage');
      await page.keyboard.press('Enter');
      await panel.getByText('Saved “To triage”').waitFor();
      expect(await seriousBreaches(page)).toEqual([]);
      await picture(page, 'saved-views-1440-dark');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true);

      await page.goto(`${server().url}/jobs?q=host-2+-host-21`);
      await expect.poll(async () => (await names(page)).length).toBe(3);
      await menu.press('Enter');
      await expect.poll(isFocused).toBe(true);
      await panel.getByRole('link', { name: /^To triage/ }).waitFor();
      // Over its three buttons.
      for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/jobs\?q=evtx&tags=phishing&per=50$/);
      await expect.poll(async () => (await names(page)).length).toBe(2);
      await panel.waitFor({ state: 'detached' });

      await page.goto(`${server().url}/jobs?q=host-2+-host-21`);
      await menu.click();
      await field.fill('to TRIAGE');
      await panel.getByRole('button', { name: 'Replace' }).click();
      await panel.getByRole('link', { name: 'to TRIAGE host-2 -host-21' }).waitFor();
      expect(await panel.getByRole('link').count()).toBe(1);
      await panel.getByRole('button', { name: 'Delete to TRIAGE' }).press('Enter');
      await panel.getByText('Deleted “to TRIAGE”').waitFor();
      expect(await panel.getByRole('link').count()).toBe(0);
      await expect.poll(isFocused).toBe(true);

      // What a browser had kept moves over to the account once.
      const ofBrowser = [{ name: 'Of this browser', view: { q: 'host-2' } }];
      await page.evaluate((views) => localStorage.setItem('svc-jobs-saved-views', views), JSON.stringify(ofBrowser));
      await page.reload();
      await menu.click();
      await panel.getByRole('link', { name: 'Of this browser' }).waitFor();
      await expect.poll(() => page.evaluate(() => localStorage.getItem('svc-jobs-saved-views'))).toBe('[]');
      await panel.getByRole('button', { name: 'Delete Of this browser' }).click();
      await panel.getByText('Deleted “Of this browser”').waitFor();

      await page.evaluate(() => localStorage.setItem('svc-jobs-saved-views', '{damaged'));
      await page.reload();
      await menu.click();
      await field.waitFor();
      expect(await panel.getByRole('link').count()).toBe(0);
      expect(errors()).toEqual([]);
    });

    it('announces newer jobs without moving the rows', async () => {
      const page = await openAsAdmin('/jobs');
      await row(page, 'dc01-powershell').waitFor();
      const before = await names(page);
      await submit(page, 'late.json', Buffer.from(line(99)));
      const arrived = page.getByRole('button', { name: '1 new job' });
      await arrived.waitFor({ timeout: 30_000 });
      expect(await names(page)).toEqual(before);
      await picture(page, 'arrived-1440-dark');
      await arrived.click();
      await expect.poll(() => names(page)).toEqual(['late.json', ...before.slice(0, -1)]);
      expect(errors()).toEqual([]);
    });

    it('deletes chosen jobs: a few after a question, many when they are typed out', async () => {
      const page = await openAsAdmin('/jobs?per=100');
      await row(page, 'late.json').getByRole('checkbox').click();
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Delete late.json?' }).waitFor();
      await dialog.getByRole('button', { name: 'Delete 1 job' }).click();
      await bar(page).getByText('Deleted 1 job').waitFor();
      expect(await names(page)).not.toContain('late.json');

      await row(page, 'host-12.json').getByRole('checkbox').click();
      await row(page, 'host-1.json')
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] });
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      const answer = dialog.getByRole('button', { name: 'Delete 12 jobs' });
      expect(await answer.isDisabled()).toBe(true);
      await dialog.getByLabel('To go on, type “delete 12”').fill('delete 12');
      expect(await seriousBreaches(page)).toEqual([]);
      await picture(page, 'delete-1440-dark');
      await answer.click();
      await bar(page).getByText('Deleted 12 jobs').waitFor();
      expect(await names(page)).toHaveLength(13);
      expect(errors()).toEqual([]);
    });

    it('says what failed, and tries again', async () => {
      const page = await open('/docs', { scheme: 'light' });
      const isList = (url: URL) => url.pathname === '/jobs';
      await page.route(isList, (route) =>
        route.request().resourceType() === 'fetch' ? route.abort('connectionrefused') : route.continue(),
      );
      await page.getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByRole('status', { name: 'Jobs are loading' }).waitFor();
      await picture(page, 'loading-1440-light');
      await page.getByText('The jobs cannot be listed').waitFor({ timeout: 30_000 });
      expect(await seriousBreaches(page)).toEqual([]);
      await page.unroute(isList);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('host-22.json').waitFor();
      // Without an account there is nothing to choose rows for, and no tags to see.
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('columnheader', { name: 'Tags' }).count()).toBe(0);
      await picture(page, 'visitor-1440-light');
      expect(errors()).toEqual([]);
    });

    it('runs again what a search finds, after it has counted that', async () => {
      const page = await openAsAdmin('/jobs');
      await page.goto(`${server().url}/jobs?q=evtx`);
      await page.getByRole('button', { name: 'Re-run all…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('It finds 3 jobs; 3 analyses').waitFor();
      await picture(page, 'rerun-1440-dark');
      expect(await seriousBreaches(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Run 3 analyses again' }).click();
      await dialog.getByText('3 jobs queued again.').waitFor();
      await dialog.getByText('Close', { exact: true }).click();
      await page.getByRole('button', { name: '3 new jobs' }).click();
      await expect.poll(async () => (await names(page)).length).toBe(6);
      expect(errors()).toEqual([]);
    });
  },
  { env: { AUTHENTICATED_UPLOAD_RATE_LIMIT_PER_MINUTE: '0' } },
);
