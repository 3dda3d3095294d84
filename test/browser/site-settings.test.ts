import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('site settings', ({ open, openAsAdmin, errors, server }) => {
  const saved = (page: Page, label: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByLabel(label, { exact: true }) })
      .getByText('Saved', { exact: true })
      .waitFor();

  /** Clicks what is drawn, which lies over the control. */
  const flip = (page: Page, label: string) =>
    page
      .getByRole('switch', { name: label })
      .locator('..')
      .click({ position: { x: 8, y: 8 } });

  it('are saved as they are changed, by keyboard too, and hold at once for everybody', async () => {
    const visitor = await open('/');
    await visitor.getByText('Intrusion on a workstation (Sysmon)').click();
    await visitor.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await visitor.getByRole('tab', { name: 'Process tree' }).waitFor({ timeout: 60_000 });
    await visitor.getByRole('region', { name: 'ATT&CK tactics' }).waitFor();
    const job = new URL(visitor.url()).pathname;

    const page = await openAsAdmin('/admin/settings');
    await page.getByRole('switch', { name: 'Process tree' }).focus();
    await page.keyboard.press('Space');
    await saved(page, 'Process tree');
    await flip(page, 'ATT&CK heatmap');
    await saved(page, 'ATT&CK heatmap');
    const refused = await fetch(`${server().url}${job}/process-tree`, { headers: { accept: 'application/json' } });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'feature_off']);
    await visitor.goto(`${server().url}${job}?view=processes`);
    await visitor.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
    expect(await visitor.getByRole('tab').allInnerTexts()).not.toContain('Process tree');
    expect(await visitor.getByRole('region', { name: 'ATT&CK tactics' }).count()).toBe(0);

    await flip(page, 'Read-only demonstration');
    await saved(page, 'Read-only demonstration');
    await visitor.goto(server().url);
    await visitor.getByText('This is a read-only demonstration').waitFor();
    await page.reload();
    await page.getByRole('switch', { name: 'Read-only demonstration', checked: true }).waitFor();
    await flip(page, 'Read-only demonstration');
    await saved(page, 'Read-only demonstration');
    expect(errors()).toEqual([]);
  });

  it('say at the number what is wrong with it, and keep what was saved', async () => {
    const page = await openAsAdmin('/admin/settings');
    const files = page.getByLabel('Files in one selection');
    await files.fill('501');
    await files.press('Enter');
    await page.getByText('whole number from 1 to 500').waitFor();
    await files.press('Escape');
    await expect.poll(() => files.inputValue()).toBe('50');
    await files.fill('7');
    await files.press('Tab');
    await saved(page, 'Files in one selection');
    const home = (await (await fetch(`${server().url}/api/ui/home`)).json()) as { max_upload_files: number };
    expect(home.max_upload_files).toBe(7);
    await page.reload();
    await expect.poll(() => files.inputValue()).toBe('7');
    expect(errors()).toEqual([]);
  });

  it('put a marking and a line on top of every page, which escape what was typed and move nothing', async () => {
    const page = await openAsAdmin('/admin/settings');
    await page.getByLabel('Marking').fill('TLP:AMBER');
    await page.keyboard.press('Enter');
    await saved(page, 'Marking');
    await page.getByLabel('Text', { exact: true }).fill('<img src=x onerror=alert(1)> Exercise');
    await page.keyboard.press('Tab');
    const banner = page.getByRole('note').filter({ hasText: 'TLP:AMBER' });
    await banner.getByText('<img src=x onerror=alert(1)> Exercise').waitFor();
    const visitor = await open('/jobs');
    await visitor.getByRole('note').filter({ hasText: 'TLP:AMBER' }).waitFor();
    // Kept by the browser: it is there before the service has answered.
    await visitor.route('**/api/ui/session', () => undefined);
    await visitor.reload();
    await visitor.getByRole('note').filter({ hasText: 'TLP:AMBER' }).waitFor();
    await visitor.emulateMedia({ media: 'print' });
    expect(await visitor.getByRole('note').filter({ hasText: 'TLP:AMBER' }).isVisible()).toBe(true);
    for (const label of ['Marking', 'Text']) {
      await page.getByLabel(label, { exact: true }).fill('');
      await page.keyboard.press('Enter');
      await saved(page, label);
    }
    await banner.waitFor({ state: 'detached' });
    expect(errors()).toEqual([]);
  });

  it('are for administrators', async () => {
    const page = await open('/admin/settings');
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
  });

  it('record what people do, which administrators narrow, open, export and remove', async () => {
    const page = await openAsAdmin('/admin/activity');
    await page.getByRole('link', { name: 'Switch the activity log on' }).click();
    await flip(page, 'Activity log');
    await saved(page, 'Activity log');
    await page.getByLabel('Files in one selection').fill('8');
    await page.keyboard.press('Enter');
    await saved(page, 'Files in one selection');
    const wrong = await fetch(`${server().url}/auth/cookie/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'eve@example.org', password: 'wrong' }),
    });
    expect(wrong.status).toBe(400);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    const change = page.getByRole('button', { name: 'Changed settings: max_upload_files' });
    await change.focus();
    await page.keyboard.press('Enter');
    await page.getByText('"to": 8').waitFor();
    await page.getByRole('button', { name: 'Could not sign in as eve@example.org' }).waitFor();
    await page.getByLabel('Outcome').selectOption('Failed');
    await change.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?outcome=failure');
    await page.getByRole('button', { name: 'Export' }).click();
    const href = await page.getByRole('menuitem', { name: 'These rows as CSV' }).getAttribute('href');
    const csv = await (await page.request.get(server().url + href!)).text();
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove old rows' }).click();
    await page.getByRole('button', { name: 'Remove them' }).click();
    await page.getByText('0 rows went').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByLabel('Outcome').selectOption('Any outcome');
    await page.getByRole('button', { name: /^Removed 0 rows of this log/ }).waitFor();
    expect(errors()).toEqual([]);
  });

  it('show on the dashboard what is wrong and what mends it, until that is done', async () => {
    const page = await openAsAdmin('/admin');
    await page.getByRole('heading', { name: /^Ready/ }).waitFor();
    const switchCore = async (enabled: boolean) => {
      const headers = { origin: server().url };
      const changed = await page.request.post(`${server().url}/api/v1/rule-packs/core`, { headers, data: { enabled } });
      expect(changed.status()).toBe(200);
      await page.getByRole('button', { name: 'Run checks now' }).focus();
      await page.keyboard.press('Enter');
    };
    await switchCore(false);
    await page.getByRole('heading', { name: 'Not ready: 1 check fails' }).waitFor();
    const failing = page.getByRole('listitem').filter({ hasText: 'No rule pack is in use' });
    await failing.getByText('Switch a pack on, or import one, at Admin, Rule packs').waitFor();
    await switchCore(true);
    await page.getByRole('heading', { name: /^Ready/ }).waitFor();
    expect(await failing.count()).toBe(0);
    await page.getByText(/checks? without a complaint$/).click();
    await page.getByText('Files are written, read and deleted.').waitFor();
    await page.getByRole('region', { name: 'Maintenance' }).getByText('Entities of all jobs').waitFor();
    await page.getByRole('link', { name: 'All activity' }).click();
    await page.waitForURL(/\/admin\/activity$/);
    expect(errors()).toEqual([]);
  });

  it('are followed by what is made anew, which a page begins and shows to its end', async () => {
    const page = await openAsAdmin('/admin/tasks?view=anew');
    for (const label of ['Attributes of entities', 'Entities of all jobs']) {
      await page.getByRole('button', { name: `Run: ${label}` }).focus();
      await page.keyboard.press('Enter');
      const row = page.getByRole('listitem').filter({ hasText: label });
      await row.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 });
    }
    await page.getByRole('tab', { name: 'Activity' }).click();
    const row = page
      .getByRole('row')
      .filter({ hasText: 'Entities of all jobs' })
      .filter({ hasText: 'admin@localhost' });
    await row.getByText('Done', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Run again: Entities of all jobs' }).click();
    await expect.poll(() => row.getByText('Done', { exact: true }).count(), { timeout: 60_000 }).toBe(2);
    await page.getByRole('tab', { name: 'Queue' }).click();
    await page.getByRole('heading', { name: 'Delayed' }).waitFor();
    await page.getByRole('tab', { name: 'Scheduled' }).click();
    // Workers of a new service run it when they start.
    const recovery = page.getByRole('row').filter({ hasText: 'Put jobs back in motion' });
    await recovery.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 });
    expect(errors()).toEqual([]);
  });

  it('are on the page Storage for what is kept, with what takes room and what nobody owns', async () => {
    const visitor = await open('/');
    await visitor.getByText('Intrusion on a workstation (Sysmon)').click();
    await visitor.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });

    const page = await openAsAdmin('/admin/storage');
    const part = (name: string) => page.getByRole('region', { name });
    await part('What takes room').getByText('Uploads').waitFor();
    await page.getByRole('button', { name: 'Count again' }).click();
    await part('Largest jobs').getByRole('link').first().waitFor();
    await part('Objects that nobody owns').getByText('There are none.').waitFor();

    const outputs = part('How long things are kept').getByRole('row', { name: /Raw outputs of jobs/ });
    await outputs.getByText('90 days').waitFor();
    await outputs.getByRole('button', { name: 'Change: Raw outputs of jobs' }).click();
    await page.getByLabel('Days').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await outputs.getByText('an administrator, here').waitFor();
    await outputs.getByText('30 days').waitFor();
    await part('How long things are kept').getByRole('button', { name: 'Remove them now' }).click();
    await part('How long things are kept').getByText('there was nothing to remove').waitFor({ timeout: 60_000 });

    await part('Tables of the database')
      .getByRole('row', { name: /task_results/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Vacuum' }).click();
    await part('Tables of the database')
      .getByText(/ before, .* now/)
      .waitFor({ timeout: 100_000 });
    expect(errors()).toEqual([]);
  });

  it('have workflows beside them, which are made, tried, edited and taken back', async () => {
    const page = await openAsAdmin('/admin/workflows/new');
    const text = page.getByLabel('Tasks as YAML');
    const save = (words: string) => page.getByRole('button', { name: words, exact: true });
    const problems = page.getByLabel('What is to be said of it');
    await page.getByLabel('Name', { exact: true }).fill('Severe alone');
    await page.getByRole('button', { name: 'Windows Event Log (EVTX)' }).click();
    await page.getByLabel('Least severity').selectOption('High');
    await expect.poll(() => text.inputValue()).toContain('min_level: high');
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Engine of task 2').selectOption('evtx-hunt');
    await problems.getByText('“evtx-hunt” is not enabled here').waitFor();
    await page.getByRole('button', { name: 'Move task 2 up' }).press('Enter');
    await expect.poll(() => page.getByLabel('Engine of task 1').inputValue()).toBe('evtx-hunt');
    await page.getByRole('button', { name: 'Remove task 1' }).click();
    await text.fill(`${await text.inputValue()}    threads: many\n`);
    await problems.getByText('tasks[0].threads').waitFor();
    await expect.poll(() => save('Make workflow').isDisabled()).toBe(true);
    await text.fill((await text.inputValue()).replace('many', '1'));
    await save('Make workflow').click();
    await page.getByRole('heading', { name: 'Severe alone', level: 1 }).waitFor();
    await page.getByLabel('Sample log').selectOption('intrusion-powershell');
    await save('Run it on the sample').click();
    await page.waitForURL(/\/jobs\/\d+/);
    await page.getByText('Severe alone').first().waitFor();

    await page.goto(`${server().url}/admin/workflows`);
    await page.getByRole('link', { name: 'Linux Auditd Analysis', exact: true }).click();
    await page.getByLabel('At most (seconds)').first().fill('900');
    await page.getByLabel('At most (seconds)').first().press('Enter');
    await save('Save').click();
    await page.getByRole('button', { name: 'See the differences, or take it back' }).click();
    await page.getByLabel('Differences').getByText('+     timeout: 1800').waitFor();
    await save('Take it back').click();
    await page.getByText('It ships with the product and follows its updates').waitFor();
    expect(errors()).toEqual([]);
  });
});

describeInBrowser(
  'the queue of a site without workers',
  ({ openAsAdmin, errors, server }) => {
    it('is shown to administrators, who drop what waits and see its job end', async () => {
      const page = await openAsAdmin('/admin/tasks');
      const headers = { origin: server().url };
      await page.request.post(`${server().url}/api/ui/samples/intrusion-sysmon`, { headers });
      const active = page.getByRole('row').filter({ hasText: 'intrusion-sysmon.evtx' });
      await active.getByText('Queued', { exact: true }).waitFor();
      await page.getByRole('tab', { name: 'Queue' }).click();
      const drop = page.getByRole('button', { name: 'Drop: intrusion-sysmon.evtx' });
      await drop.focus();
      await page.keyboard.press('Enter');
      await drop.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?view=queue');
      await page.goto(`${server().url}/jobs/1`);
      await page.getByText('Cancelled', { exact: true }).first().waitFor();
      expect(errors()).toEqual([]);
    });
  },
  { env: { TASKQ_WORKERS: '0' } },
);
