import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('what a report shows beside its findings', ({ open, errors }) => {
  it('is a tab each, and its state is in the address', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('tab', { name: 'Timeline' }).click({ timeout: 60_000 });

    const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    await timeline.getByText('Defense evasion').waitFor();
    const status = timeline.getByRole('status');
    const whole = await status.innerText();
    await timeline.getByRole('button', { name: 'Critical' }).click();
    await expect.poll(() => status.innerText()).not.toBe(whole);
    await timeline.getByRole('img').press('+');
    await page.waitForURL(/from=\d+/);
    await page.reload();
    await timeline.getByRole('button', { name: 'Whole log' }).click();
    await timeline.getByRole('button', { name: 'Critical' }).click();
    await expect.poll(() => status.innerText()).toBe(whole);
    const matches = page.getByRole('region', { name: 'Matches in order of time' });
    await matches.getByRole('button', { name: /Memory Dump Through Comsvcs/ }).click();
    await page.waitForURL(/finding=\d+/);
    await page.getByRole('heading', { name: 'Memory Dump Through Comsvcs' }).waitFor();

    // From a value of the event to the process that had it.
    await page.getByRole('button', { name: 'Follow CommandLine', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Find in the process tree' }).click();
    await page.waitForURL(/view=processes.*find=|find=.*view=processes/);
    const tree = page.getByRole('tree', { name: 'Processes' });
    await tree.getByText('rundll32.exe', { exact: true }).first().waitFor();
    await page.getByLabel('Search processes').fill('minidump');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2);
    await page.getByLabel('Search processes').fill('');
    const root = tree.getByRole('treeitem').first();
    await expect.poll(() => tree.getByRole('treeitem').count()).toBeGreaterThan(2);
    const before = await tree.getByRole('treeitem').count();
    await root.press('ArrowLeft');
    await expect.poll(() => root.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBeLessThan(before);

    await page.getByRole('tab', { name: 'Heuristics' }).click();
    await page.getByRole('region', { name: 'Credential access' }).getByText('LSASS_ACCESS').waitFor();

    await page.getByRole('tab', { name: 'Entities' }).click();
    await page.getByLabel('Filter entities').fill('certutil');
    const executables = page.getByRole('region', { name: 'Executables' });
    await executables.getByText('certutil.exe', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Computers' }).count()).toBe(0);
    expect(errors()).toEqual([]);
  });

  it('shows a matched event as fields, as JSON and as XML, by keyboard too', async () => {
    const page = await open('/jobs/1?q=comsvcs');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const form = page.getByRole('group', { name: 'Form' }).first();
    await form.getByRole('button', { name: 'JSON' }).press('Enter');
    await page.getByRole('button', { name: 'Copy event as JSON' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('XML, from the stored fields').waitFor();
    const xml = await page.locator('pre', { hasText: '<Event ' }).innerText();
    expect(xml).toContain('<Provider Name="Microsoft-Windows-Sysmon"');
    const read = await page.evaluate((text) => {
      const event = new DOMParser().parseFromString(text, 'application/xml');
      return [
        event.querySelector('parsererror')?.textContent,
        event.querySelector('Data[Name=CommandLine]')?.textContent,
      ];
    }, xml);
    expect(read).toEqual([undefined, expect.stringContaining('comsvcs')]);
    await page.getByRole('button', { name: 'Copy event as XML' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(xml);

    // From the fields again to other jobs.
    await form.getByRole('button', { name: 'Fields' }).click();
    const command = page.locator('dl > div', { hasText: /^CommandLine/ }).first();
    await command.getByText(/^\S*comsvcs\.dll,?$/).waitFor();
    await page
      .getByRole('button', { name: /more fields/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Follow Computer', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Search jobs by file name' }).click();
    await page.waitForURL((url) => url.pathname === '/jobs' && url.searchParams.has('q'));
    await page.getByText('No job is met by this search').waitFor();
    expect(errors()).toEqual([]);
  });
});
