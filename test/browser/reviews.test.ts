import { operations, type FindingReviews, type SubmittedJob } from '@svc/contracts';
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
  'decisions about findings',
  ({ open, errors, server }) => {
    const post = async <T>(page: Page, path: string, data: unknown = {}): Promise<T> => {
      const answer = await page.request.post(server().url + path, { data, headers: { origin: server().url } });
      expect([path, answer.ok() || (await answer.text())]).toEqual([path, true]);
      return (await answer.json()) as T;
    };
    const get = async <T>(page: Page, path: string): Promise<T> => {
      const answer = await page.request.get(server().url + path, { headers: { accept: 'application/json' } });
      expect([path, answer.ok()]).toEqual([path, true]);
      return (await answer.json()) as T;
    };
    const ended = async (page: Page, job: number): Promise<number> => {
      await expect
        .poll(async () => (await get<{ terminal: boolean }>(page, `/jobs/${job}/status`)).terminal)
        .toBe(true);
      return job;
    };
    const statesOf = async (page: Page, job: number): Promise<string[]> =>
      (await get<FindingReviews>(page, `/jobs/${job}/reviews`)).reviews.map(({ state }) => state).sort();

    it('are made by keys, hidden, taken back, and remembered in a later job', async () => {
      const page = await open('/docs');
      const form = { username: root, password };
      const headers = { origin: server().url };
      expect((await page.request.post(`${server().url}/auth/cookie/login`, { form, headers })).ok()).toBe(true);
      const path = operations.submitSample.path.replace('{name}', 'intrusion-powershell');
      const job = await ended(page, (await post<SubmittedJob>(page, path)).job_id);

      await page.goto(`${server().url}/jobs/${job}`);
      const finding = page.getByRole('article');
      const review = finding.getByRole('region', { name: 'Review' });
      await review.getByRole('button', { name: 'New', pressed: true }).waitFor();
      const first = (await finding.getAttribute('aria-label'))!;
      const list = page.getByRole('region', { name: 'Findings', exact: true });
      const row = list.getByRole('listitem').filter({ hasText: first }).first();

      // Keys rest while someone types.
      await review.getByLabel('Note on this finding').fill('be');
      await review.getByLabel('Note on this finding').press('b');
      expect(await statesOf(page, job)).toEqual([]);
      await review.getByRole('button', { name: 'Save note' }).click();
      await expect.poll(() => statesOf(page, job)).toEqual(['new']);
      await review.getByRole('button', { name: 'New' }).focus();

      await page.keyboard.press('b');
      await row.getByText('Benign').waitFor();
      await review.getByText('Benign by').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await review.getByRole('button', { name: 'New', pressed: true }).waitFor();
      await expect.poll(() => statesOf(page, job)).toEqual(['new']);
      // The later of two stays, also where the service is slow to take the one before it.
      let release = (): void => undefined;
      const isHeld = new Promise<void>((resolve) => (release = resolve));
      let [sent, answered] = [0, 0];
      await page.route(`**/jobs/${job}/reviews`, async (route) => {
        if (route.request().method() === 'POST' && sent++ === 0) await isHeld;
        await route.continue();
      });
      page.on('response', (response) => {
        if (response.request().method() === 'POST' && response.url().endsWith('/reviews')) answered += 1;
      });
      await page.keyboard.press('e');
      await row.getByText('Escalated').waitFor();
      await page.keyboard.press('b');
      await row.getByText('Benign').waitFor();
      await review.getByLabel('Remember').click();
      setTimeout(release, 500);
      await expect.poll(() => answered).toBe(3);
      await expect
        .poll(async () => (await get<FindingReviews>(page, `/jobs/${job}/reviews`)).reviews)
        .toMatchObject([{ state: 'benign', remembered: true, note: 'beb' }]);
      const me = (await review.getByLabel('Assigned to').locator('option').allTextContents()).at(-1)!;
      await review.getByLabel('Assigned to').selectOption(me);
      await expect
        .poll(async () => (await get<FindingReviews>(page, `/jobs/${job}/reviews`)).reviews[0]?.assignee?.name)
        .toBe(me);
      expect(await seriousBreaches(page)).toEqual([]);

      await list.getByLabel(/^Hide reviewed/).click();
      await page.waitForURL(/hide=reviewed/);
      await row.waitFor({ state: 'detached' });
      await page.reload();
      await expect
        .poll(async () => (await finding.count()) === 1 && finding.getAttribute('aria-label'))
        .not.toBe(first);
      await row.waitFor({ state: 'detached' });
      await review.getByRole('button', { name: 'New', pressed: true }).waitFor();
      const second = (await finding.getAttribute('aria-label'))!;
      // What is decided about goes, and the next one comes.
      await page.keyboard.press('r');
      await expect.poll(() => finding.getAttribute('aria-label')).not.toBe(second);
      await expect.poll(() => statesOf(page, job)).toEqual(['benign', 'reviewed']);

      // The keys belong to the findings.
      await page.getByRole('tab', { name: 'ATT&CK' }).click();
      await finding.waitFor({ state: 'detached' });
      await page.keyboard.press('e');

      await page.goto(`${server().url}/jobs`);
      await page.getByText(/^2 of \d+ reviewed$/).waitFor();
      expect(await statesOf(page, job)).toEqual(['benign', 'reviewed']);

      const again = await post<{ jobs: { new_job_id: number }[] }>(page, operations.rerunJobs.path, { job_ids: [job] });
      const later = await ended(page, again.jobs[0]!.new_job_id);
      await page.goto(`${server().url}/jobs/${later}`);
      await row.getByText('Benign').waitFor();
      await review.getByText('Benign, remembered from an earlier review').waitFor();
      expect(await statesOf(page, later)).toEqual(['benign']);

      const visitor = await open(`/jobs/${job}`);
      await visitor.getByRole('article').waitFor();
      expect(await visitor.getByRole('region', { name: 'Review' }).count()).toBe(0);
      expect(errors()).toEqual([]);
    });
  },
  { env },
);
