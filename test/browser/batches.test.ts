import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Where to keep pictures of the pages for people to look at; none by default. */
const pictures = process.env['SCREENSHOTS'];

const sample = (name: string) => fileURLToPath(new URL(`../../config/samples/${name}.evtx`, import.meta.url));
const names = ['intrusion-security', 'intrusion-powershell', 'intrusion-sysmon'];

describeInBrowser('several jobs together', ({ openAsAdmin, errors }) => {
  async function looked(page: Page, name: string): Promise<void> {
    for (const [width, scheme] of [
      [1440, 'dark'],
      [768, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await seriousBreaches(page)).toEqual([]);
      if (pictures === undefined) continue;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${scheme}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  it('leads from three files to their verdict, and from its rule, host and severity to the rows behind them', async () => {
    const page = await openAsAdmin('/');
    await page.locator('input[type=file]').first().setInputFiles(names.map(sample));
    await page.getByRole('button', { name: 'Submit 3 files' }).click();
    await page.getByRole('link', { name: 'Verdict of 3 files' }).click({ timeout: 60_000 });
    await page.getByRole('heading', { name: 'Batch of 3 files' }).waitFor();
    await page.getByText(/rules matched .* in 3 of 3 logs/).waitFor({ timeout: 90_000 });
    await page.getByText('analysed').waitFor({ state: 'detached', timeout: 90_000 });
    await looked(page, 'batch');

    // The worst hosts are on the first screen, beside the severities.
    const worst = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Worst host' }) });
    const severities = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Severity' }) });
    // The window has just been made wide again.
    await expect
      .poll(async () => {
        const [beside, place] = [await severities.boundingBox(), await worst.boundingBox()];
        return [place!.y - beside!.y, place!.y + place!.height < 900];
      })
      .toEqual([0, true]);
    const name = await worst.locator('tbody button').first().innerText();
    await worst.locator('tbody button').first().click();
    await page.getByRole('button', { name: `Remove filter ${name}` }).click();

    const rules = page.getByRole('region', { name: /^Rules/ });
    const first = rules.getByRole('button').first();
    const rule = (await first.innerText()).replace(/^[A-Z]\s+/, '');
    await first.press('Enter');
    await rules
      .getByRole('link', { name: /intrusion-/ })
      .first()
      .click();
    await page.waitForURL(/\/jobs\/\d+\?finding=\d+/);
    await page.getByRole('heading', { name: rule }).first().waitFor();
    await page.goBack();

    const hosts = page.getByRole('region', { name: /^Hosts/ });
    const host = await hosts.locator('tbody tr').first().locator('td').first().innerText();
    // Without the places of the rule that is open.
    const ruleRows = rules.locator('tbody tr:has(button[aria-expanded])');
    const before = await ruleRows.count();
    await hosts.locator('tbody tr').first().getByRole('button').first().click();
    await page.getByRole('button', { name: `Remove filter ${host}` }).waitFor();
    await expect.poll(() => hosts.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: `Remove filter ${host}` }).click();
    await expect.poll(() => ruleRows.count()).toBe(before);

    const files = page.getByRole('region', { name: /^Files/ });
    await files.locator('tbody tr').first().locator('a[href*="severity="]').first().click();
    await page.waitForURL(/\/jobs\/\d+\?severity=/);
    expect(errors()).toEqual([]);
  });

  it('compares two chosen jobs, and one from its report with another', async () => {
    const page = await openAsAdmin('/jobs');
    await page.getByRole('checkbox', { name: 'Select intrusion-security.evtx' }).click();
    await page.getByRole('checkbox', { name: 'Select intrusion-sysmon.evtx' }).click();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.waitForURL(/\/jobs\/compare\?a=\d+&b=\d+$/);
    await page.getByRole('region', { name: 'Job A' }).getByText('intrusion-security.evtx').waitFor();
    await looked(page, 'compare');
    await page.getByText(/^Only in A \d+$/).click();
    await page.waitForURL(/show=a$/);
    const row = page.getByRole('row', { name: /Only A/ }).first();
    await row.getByRole('link').click();
    await page.waitForURL(/\/jobs\/\d+\?finding=\d+/);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Compare with another job' }).click();
    await page.getByRole('heading', { name: 'Compare intrusion-security.evtx with' }).waitFor();
    await page.getByRole('link', { name: 'intrusion-powershell.evtx' }).click();
    await page.getByRole('region', { name: 'Job B' }).getByText('intrusion-powershell.evtx').waitFor();
    expect(errors()).toEqual([]);
  });
});
