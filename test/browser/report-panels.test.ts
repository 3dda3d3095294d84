import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('what a report shows beside its findings', ({ open, errors, server }) => {
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
    // The fields are put in another order when the rule's terms arrive, which would close a menu.
    await page.getByRole('article').locator('mark').first().waitFor();
    await page.getByRole('button', { name: 'Follow CommandLine', exact: true }).first().click();
    await page.getByRole('button', { name: 'Find in the process tree' }).click();
    await page.waitForURL(/view=processes.*find=|find=.*view=processes/);
    const tree = page.getByRole('tree', { name: 'Processes' });
    await tree.getByText('rundll32.exe', { exact: true }).first().waitFor();
    await page.getByLabel('Search processes').fill('minidump');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2);
    await tree.getByRole('treeitem').last().press('Enter');
    const details = tree.getByRole('treeitem').last();
    await details.getByRole('button', { name: /Memory Dump Through Comsvcs/ }).waitFor();
    await details.getByText('SHA-256').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByLabel('Search processes').fill('');
    await page.getByRole('button', { name: 'Only matched' }).click();
    await expect.poll(() => tree.getByText('inferred').count()).toBe(0);
    await page.getByRole('button', { name: 'All', exact: true }).click();
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
    const peek = page.getByRole('dialog', { name: /^Host / });
    await peek.getByText('In no other job that you may see.').waitFor();
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    expect(errors()).toEqual([]);
  });

  it('opens values beside the report: filters by them, leaves them out, and finds other jobs, by mouse and keyboard', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('tab', { name: 'Entities' }).click({ timeout: 60_000 });
    const certutil = page.getByRole('button', { name: 'Program certutil.exe' });
    await certutil.first().focus();
    await page.keyboard.press('Enter');
    const peek = page.getByRole('dialog', { name: 'Program certutil.exe' });
    await peek.getByText(/Named by \d+ findings? here/).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await expect.poll(() => certutil.first().evaluate((door) => door === document.activeElement)).toBe(true);

    // By keyboard: the first thing in it filters the report, which stays where it is.
    await page.keyboard.press('Enter');
    await peek.getByText(/Named by/).waitFor();
    await peek.getByRole('button', { name: 'Filter this report by it' }).press('Enter');
    await page.waitForURL(/only=program:certutil\.exe|only=program%3Acertutil\.exe/);
    const status = page.getByRole('region', { name: 'Findings' }).getByRole('status');
    await expect.poll(() => status.innerText()).toMatch(/^\d+ of \d+ findings/);
    const only = Number.parseInt(await status.innerText(), 10);
    await peek.getByRole('button', { name: 'Exclude it from this report' }).click();
    await page.getByRole('button', { name: 'Remove filter not certutil.exe' }).waitFor();
    await expect.poll(async () => Number.parseInt(await status.innerText(), 10)).toBeGreaterThan(only);
    await page.reload();
    await page.getByRole('button', { name: 'Remove filter not certutil.exe' }).click();
    await expect.poll(() => status.innerText()).toMatch(/^\d+ findings/);

    // Another log of the same host.
    const cleared = { Level: 4, SubjectUserName: 'alice', Provider_Name: 'Microsoft-Windows-Eventlog', EventID: 1102 };
    const where = { Channel: 'Security', Computer: 'WS-FIN-07.corp.harrowpell.example' };
    const form = new FormData();
    form.append('workflow_id', '1');
    const event = JSON.stringify({ ...cleared, ...where, TimeCreated: '2026-08-01T10:00:00Z' });
    form.append('file', new File([event], 'same-host.json'));
    const { job_id: other } = (await (
      await fetch(`${server().url}/upload`, { method: 'POST', body: form })
    ).json()) as {
      job_id: number;
    };
    const job = async () =>
      (await (await fetch(`${server().url}/jobs/${other}`, { headers: { accept: 'application/json' } })).json()) as {
        status: string;
      };
    await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe('completed');
    await page
      .getByRole('group', { name: 'Hosts' })
      .getByRole('button', { name: /^Host / })
      .first()
      .click();
    const jobs = page.getByRole('dialog', { name: /^Host / }).getByRole('region', { name: 'Other jobs' });
    await jobs.getByRole('link', { name: /same-host\.json/ }).waitFor();
    await jobs.getByRole('link', { name: 'Show it in the jobs list' }).waitFor();
    await page.setViewportSize({ width: 768, height: 900 });
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });
});
