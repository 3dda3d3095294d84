import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { adminPassword } from '../support/chromium.ts';
import { describeInBrowser } from '../support/browser.ts';

const sample = join(projectRoot(), 'config/samples/intrusion-sysmon.evtx');
const patient = { timeout: 60_000 };

/** Leaves a mark that loading the page anew would take away. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window);

describeInBrowser('a lost connection', ({ open, openAsAdmin, server, errors }) => {
  it('costs no report that was made in this window', async () => {
    const page = await open('/');
    await page.getByLabel('Log files to submit').setInputFiles(sample);
    await page.getByRole('button', { name: 'Analyse in this browser' }).click(patient);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.waitFor(patient);
    await mark(page);
    await page.context().setOffline(true);
    const jobs = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs' });
    await jobs.hover();
    await jobs.click();
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor(patient);
    await page.goBack();
    await verdict.waitFor(patient);
    await jobs.click();
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor(patient);
    // A browser is online before the service answers.
    let refused = 0;
    await page.route('**/*', (route) => {
      refused++;
      return route.abort();
    });
    await page.context().setOffline(false);
    await expect.poll(() => refused, patient).toBeGreaterThan(1);
    await page.unroute('**/*');
    await page.getByRole('combobox', { name: 'Search jobs' }).waitFor(patient);
    expect(await isMarked(page)).toBe(true);
    await page.goBack();
    await verdict.waitFor(patient);
    expect(errors()).toEqual([]);
  });

  it('only holds up a file that is being sent', async () => {
    const page = await open('/');
    await page.getByLabel('Log files to submit').setInputFiles(sample);
    const submit = page.getByRole('button', { name: 'Submit', exact: true });
    await expect.poll(() => submit.isEnabled(), patient).toBe(true);
    await page.context().setOffline(true);
    await submit.click();
    await page.getByText('The connection to the service is lost; the file is still here').waitFor(patient);
    await page.context().setOffline(false);
    await page.waitForURL(/\/jobs\/\d+/, patient);
  });

  it('is not what the end of a session looks like', async () => {
    const page = await openAsAdmin('/jobs?q=status:completed');
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.context().clearCookies();
    // What it shows has not been asked for yet.
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByText('Your session has ended.').waitFor(patient);
    await mark(page);
    await page
      .getByRole('status')
      .filter({ hasText: 'Your session has ended.' })
      .getByRole('link', { name: 'Sign in' })
      .click();
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password', { exact: true }).fill(adminPassword(server()));
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await page.waitForURL(/\/account$/, patient);
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
    expect(await isMarked(page)).toBe(true);
  });
});
