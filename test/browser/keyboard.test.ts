import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Goes on to what may have the focus next until this has it, and sees to it that it shows. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press(key);
    if (!(await target.evaluate((element) => element === document.activeElement))) continue;
    expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
    return;
  }
  throw new Error(`${key} does not lead to ${String(target)}`);
}

describeInBrowser('the keyboard', ({ open, openAsAdmin, errors }) => {
  it('alone leads from the log to the report that is handed over', async () => {
    const page = await openAsAdmin('/');
    // Waited for well before: a dialog that opens before the browser was told to hand it over is closed unseen.
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, page.getByRole('button', { name: 'Choose files' }));
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(join(projectRoot(), 'config/samples/intrusion-sysmon.evtx'));
    await tabTo(page, page.getByRole('button', { name: /^Submit/ }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });

    // What happened leads to its evidence, a finding is looked at, and decided about.
    const told = page.getByRole('region', { name: 'What happened' });
    await tabTo(page, told.getByRole('link').or(told.getByRole('button')).first());
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?./);
    await page.keyboard.press('j');
    await page.waitForURL(/finding=\d+/);
    const panel = page.getByRole('article');
    await panel.locator('mark').first().waitFor();
    await page.keyboard.press('e');
    await panel.getByText('Escalated').first().waitFor();
    await tabTo(page, panel.getByRole('tab', { name: 'Matched events' }));
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/tab=why/);
    await panel.getByText('The event has').first().waitFor();

    // A value opens beside the report, and gives the focus back.
    const door = panel.getByRole('heading').getByRole('button').first();
    await tabTo(page, door, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const peek = page.getByRole('dialog');
    await peek.getByText('Other jobs').first().waitFor();
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await expect.poll(() => door.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('/');
    await page.keyboard.type('powershell');
    await page.waitForURL(/q=powershell/);
    await page.keyboard.press('Escape');
    await tabTo(page, page.getByRole('tab', { name: 'Findings' }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/view=timeline/);

    await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Report as HTML' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (let presses = 0; presses < 12 && !(await focused()).startsWith('Report as HTML'); presses++)
      await page.keyboard.press('ArrowDown');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(await readFile(await download.path(), 'utf8')).toContain('Verdict: Critical');
    expect(errors()).toEqual([]);
  });

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
