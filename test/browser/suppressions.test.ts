import { operations, type JobDetail, type SubmittedJob } from '@svc/contracts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const password = 'correct horse battery';
const root = 'root@example.org';
const env = {
  ADMIN_EMAIL: root,
  ADMIN_PASSWORD: password,
  COOKIE_INSECURE: 'true',
};

describeInBrowser(
  'suppressions',
  ({ open, errors, server }) => {
    const get = async <T>(page: Page, path: string): Promise<T> => {
      const answer = await page.request.get(server().url + path, { headers: { accept: 'application/json' } });
      expect([path, answer.ok()]).toEqual([path, true]);
      return (await answer.json()) as T;
    };
    const findingsOf = async (page: Page, job: number) => (await get<JobDetail>(page, `/jobs/${job}`)).distinct_rules;

    it.each(['dark', 'light'] as const)(
      'are made of an event by keys, fold findings away and give them back (%s)',
      async (colorScheme) => {
        const page = await open('/docs');
        await page.emulateMedia({ colorScheme });
        const form = { username: root, password };
        const headers = { origin: server().url };
        expect((await page.request.post(`${server().url}/auth/cookie/login`, { form, headers })).ok()).toBe(true);
        const path = operations.submitSample.path.replace('{name}', 'intrusion-powershell');
        const submitted = await page.request.post(server().url + path, { data: {}, headers });
        const { job_id: job } = (await submitted.json()) as SubmittedJob;
        await expect
          .poll(async () => (await get<{ terminal: boolean }>(page, `/jobs/${job}/status`)).terminal)
          .toBe(true);
        const before = await findingsOf(page, job);

        await page.goto(`${server().url}/jobs/${job}`);
        const finding = page.getByRole('article');
        await finding.getByRole('button', { name: 'Not in my environment…' }).press('Enter');
        const name = (await finding.getAttribute('aria-label'))!;
        const dialog = page.getByRole('dialog', { name: 'Not in my environment' });
        await dialog.getByRole('button', { name: /^Computer / }).press('Enter');
        await dialog.getByRole('textbox', { name: 'Value of Computer' }).waitFor();
        await dialog
          .getByRole('status')
          .getByText(/^Would suppress \d+ of \d+ findings? in jobs/)
          .waitFor();
        expect(await seriousBreaches(page)).toEqual([]);
        await dialog.getByLabel('Why it is ordinary').fill('Our own tests');
        await dialog.getByLabel('Why it is ordinary').press('Tab');
        await dialog.getByRole('button', { name: 'Suppress' }).press('Enter');
        await dialog.waitFor({ state: 'detached' });

        await expect.poll(() => findingsOf(page, job)).toBe(before - 1);
        const list = page.getByRole('region', { name: 'Findings', exact: true });
        await list.getByText('1 finding suppressed, of 1 rule').waitFor();
        const row = list.getByRole('listitem').filter({ hasText: name });
        await row.first().waitFor({ state: 'detached' });
        await list.getByRole('button', { name: 'Show them' }).press('Enter');
        await row.first().waitFor();
        await row.first().getByRole('button').first().click();
        await finding.getByText('Suppressed: it counts nowhere.').waitFor();
        expect(await seriousBreaches(page)).toEqual([]);

        await page.goto(`${server().url}/suppressions`);
        await page
          .getByRole('row')
          .filter({ hasText: 'Our own tests' })
          .getByText(/in \d+ jobs?/)
          .waitFor();
        expect(await seriousBreaches(page)).toEqual([]);
        await page.getByRole('button', { name: `Take back: ${name}` }).press('Enter');
        await page.getByText('Nothing is suppressed').waitFor();
        await expect.poll(() => findingsOf(page, job)).toBe(before);
        expect(errors()).toEqual([]);
      },
      120_000,
    );
  },
  { env },
);
