import { operations, type SubmittedJob } from '@svc/contracts';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('alerts', ({ openAsAdmin, errors, server }) => {
  const post = async (page: Page, path: string, data: unknown = {}): Promise<unknown> => {
    const answer = await page.request.post(server().url + path, { data, headers: { origin: server().url } });
    expect([path, answer.ok() || (await answer.text())]).toEqual([path, true]);
    return answer.json();
  };

  it('come with a job, say why, and go when they are acknowledged', async () => {
    const page = await openAsAdmin('/docs');
    const shown = { action_notify: true, webhook_enabled: false };
    await post(page, '/intel/rules', {
      ...shown,
      name: 'Shells',
      query: '10.20.7.41',
      scope: 'entity',
    });
    await post(page, '/intel/rules', { ...shown, name: 'Hits', query: 'findings:>0', scope: 'job' });
    const sample = operations.submitSample.path.replace('{name}', 'intrusion-sysmon');
    const { job_id: job } = (await post(page, sample)) as SubmittedJob;
    await page.goto(`${server().url}/intel/rules?view=alerts`);
    const onJobs = page.getByRole('region', { name: /On jobs/ });
    // The list does not ask again by itself: the rules run once the report is there.
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('tab', { name: 'Alerts' }).waitFor();
        await page
          .getByText(/No alert waits|On jobs/)
          .first()
          .waitFor();
        return onJobs.count();
      })
      .toBe(1);
    const onEntities = page.getByRole('region', { name: /On entities/ });
    await onEntities.getByRole('button', { name: 'Why' }).first().click();
    await onEntities.getByText('holds', { exact: true }).first().waitFor();
    // The event behind it: its fields, and its place in the report.
    const evidence = onEntities
      .getByRole('list', { name: 'Findings whose events name it' })
      .getByRole('listitem')
      .first();
    await evidence.getByRole('button', { expanded: false }).click();
    await evidence
      .getByText(/10\.20\.7\.41/)
      .first()
      .waitFor();
    expect(await evidence.getByRole('link').first().getAttribute('href')).toMatch(/\/jobs\/\d+\?finding=\d+&at=\d+/);
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('button', { name: /Notifications, \d+ unread/ }).click();
    await page
      .getByRole('link', { name: /^Shells: / })
      .first()
      .waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await onJobs.getByRole('link').click();
    await page.waitForURL(new RegExp(`/jobs/${job}`));
    await page.goBack();
    // By keyboard: to the button, and it.
    await onJobs.getByRole('button', { name: 'Acknowledge' }).focus();
    await page.keyboard.press('Enter');
    await onJobs.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Acknowledge all' }).click();
    await page.getByText('No alert waits').waitFor();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Also acknowledged' }).click();
    await onJobs.waitFor();
    expect(errors()).toEqual([]);
  });
});
