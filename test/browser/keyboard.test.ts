import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the keyboard', ({ open, errors }) => {
  it('goes anywhere and does things by Ctrl K', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    const job = new URL(page.url()).pathname;
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Details' }).press('Enter');
    const digest = await page.getByText(/^[0-9a-f]{64}$/).innerText();

    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Go to' });
    await field.fill('guide');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/docs');

    await page.keyboard.press('Control+k');
    await field.fill(digest.slice(0, 12).toUpperCase());
    await page.getByRole('option', { name: /intrusion-sysmon\.evtx/ }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === job);

    await page.keyboard.press('Control+k');
    await field.fill('status:completed');
    await page.getByRole('option', { name: 'All jobs for status:completed' }).click();
    await page.waitForURL((url) => url.pathname === '/jobs' && url.searchParams.get('q') === 'status:completed');
    await page.keyboard.press('Control+k');
    await field.fill('status:failed');
    await page.getByText('No page and no job is called so').waitFor();
    await field.fill('light theme');
    await page.keyboard.press('Enter');
    await page.locator('[data-mantine-color-scheme=light]').waitFor();
    expect(errors()).toEqual([]);
  });

  it('folds the rail by Ctrl B, and is explained by ?', async () => {
    const page = await open('/docs');
    await page.getByRole('button', { name: 'Fold the rail' }).waitFor();
    await page.keyboard.press('Control+b');
    await page.getByRole('button', { name: 'Unfold the rail' }).waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Zoom the timeline').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByLabel('Search the guide').press('?');
    expect(await page.getByLabel('Search the guide').inputValue()).toBe('?');
    expect(await sheet.count()).toBe(0);
    expect(errors()).toEqual([]);
  });

  it('types where the caret is, and rests under a dialog', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('/');
    const filter = page.getByLabel('Filter findings');
    await filter.pressSequentially('mmoy');
    await page.waitForURL(/q=mmoy/);
    await page.keyboard.press('Home');
    for (const [letter, found] of Object.entries({ m: 'mmmoy', e: 'memmoy' })) {
      await page.keyboard.press(letter);
      await page.waitForURL((url) => url.searchParams.get('q') === found);
    }
    expect(await filter.inputValue()).toBe('memmoy');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => filter.inputValue()).toBe('');

    await page.keyboard.press('j');
    await page.waitForURL(/finding=/);
    const before = page.url();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Zoom the timeline').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
    expect(errors()).toEqual([]);
  });
});
