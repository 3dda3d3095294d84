import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Where to keep pictures of the pages for people to look at; none by default. */
const pictures = process.env['SCREENSHOTS'];

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

describeInBrowser('lists of values', ({ openAsAdmin, errors, server }) => {
  it('are made, changed and deleted by keyboard, and rules that ask for one keep it', async () => {
    const page = await openAsAdmin('/intel/rules?view=lists');
    await page.getByRole('button', { name: 'New list' }).first().press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('crown_jewels');
    await page.getByRole('textbox', { name: 'Values' }).fill('DC01, ws01\ndc01');
    await page.getByText(/· 2 of 2.000/).waitFor();
    await picture(page, 'list-editor');
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make list' }).press('Enter');
    await page.getByText('Made “crown_jewels”').waitFor();
    await page.getByText('· 2 values ·').waitFor();
    await page.getByRole('button', { name: 'Copy crown_jewels as in:(…)' }).waitFor();

    const headers = { origin: server().url };
    const rule = { name: 'Night watch', query: 'list:crown_jewels' };
    const made = await page.request.post(`${server().url}/intel/rules`, { headers, data: rule });
    expect(made.status()).toBe(201);
    await page.reload();
    await page.getByText('used by Night watch').waitFor();
    for (const width of [1440, 768]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await picture(page, `lists-${width}-${colorScheme}`);
        expect(await seriousBreaches(page)).toEqual([]);
      }
    }
    await page.getByRole('button', { name: 'Delete crown_jewels' }).press('Enter');
    await page.getByText('Rules ask for it: Night watch').waitFor();
    expect(await page.getByRole('button', { name: 'Delete list' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Edit crown_jewels' }).press('Enter');
    await page.getByRole('textbox', { name: 'Values' }).fill('dc01');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('· 1 value ·').waitFor();
    expect(errors()).toEqual([]);
  });
});
