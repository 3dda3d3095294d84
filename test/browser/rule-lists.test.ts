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

  it('are made of the set of a rule, which asks for the list from then on', async () => {
    const page = await openAsAdmin('/');
    const rule = { name: 'Two hosts', query: '-in:(dc01,dc02) type:computer' };
    const made = await page.request.post(`${server().url}/intel/rules`, {
      headers: { origin: server().url },
      data: rule,
    });
    const { rule: saved } = (await made.json()) as { rule: { id: number } };
    await page.goto(`${server().url}/intel/rules/${saved.id}/edit`);
    await page.getByRole('button', { name: 'Make a list of the set' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).last().fill('two_hosts');
    await picture(page, 'set-promotion');
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Condition' }).inputValue())
      .toBe('-list:two_hosts type:computer');
    await page.goto(`${server().url}/intel/rules?view=lists`);
    await page.getByText('used by Two hosts').waitFor();
    expect(errors()).toEqual([]);
  });

  it('come in with rules as a document, which is looked at first and refused by its line', async () => {
    const page = await openAsAdmin('/intel/rules');
    await page.getByRole('button', { name: 'Import YAML' }).press('Enter');
    const text = page.getByRole('textbox', { name: 'Document' });
    const [preview, take] = ['Preview', 'Import'].map((name) => page.getByRole('button', { name, exact: true }));
    await text.fill('rules:\n  - name: Imported\n    criteria: type:spirit\n');
    await preview!.press('Enter');
    await page.getByText(/rules\[0\] \(Imported\): .*\(line 2\)/).waitFor();
    expect(await take!.isDisabled()).toBe(true);
    await picture(page, 'import-refused');

    await page.getByLabel('A file instead').setInputFiles({
      name: 'rules.yml',
      mimeType: 'text/yaml',
      buffer: Buffer.from(
        'lists:\n  - name: night\n    values: [dc09]\nrules:\n  - name: Imported\n    criteria: list:night\n',
      ),
    });
    await expect.poll(() => text.inputValue()).toContain('list:night');
    await preview!.press('Enter');
    await page.getByText('The import would make: 2 new entries').waitFor();
    for (const what of ['New list: night', 'New rule: Imported']) await page.getByText(what).waitFor();
    await picture(page, 'import-preview');
    expect(await seriousBreaches(page)).toEqual([]);
    await take!.press('Enter');
    await page.getByText('Imported: 2 new entries').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().press('Enter');
    await page.getByRole('link', { name: 'Imported' }).waitFor();
    expect(errors()).toEqual([]);
  });
});
