import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

const rule = (title: string, more = '') => `title: ${title}
id: 2f3c1a10-0000-4000-8000-00000000000${title.length % 10}
status: stable
level: high
author: J. Doe
date: 2026-10-01
logsource: { product: windows, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe' }
  condition: selection${more}
`;

describeInBrowser('rule packs', ({ open, errors, server }) => {
  it('are imported from a file, told of, switched off and removed', async () => {
    const password = /password\s+(\S+)/.exec(server().output())?.[1] ?? '';
    const page = await open('/login?next=/admin/rule-packs');
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'core' }).getByText('comes with the service').waitFor();

    const zip = zipSync({
      'rules/good.yml': strToU8(rule('Who Am I')),
      'rules/better.yml': strToU8(rule('Who Are You')),
      'rules/bad.yml': strToU8(rule('Broken Rule', ' and nothing')),
    });
    await page.getByRole('button', { name: 'Import a pack' }).click();
    const dialog = page.getByRole('dialog');
    const archive = { name: 'own.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) };
    await dialog.getByLabel('Zip archive or gzipped tar').setInputFiles(archive);
    await dialog.getByRole('button', { name: 'Import' }).click();

    const pack = page.getByRole('region', { name: 'own' });
    await pack.getByText('2 rules').waitFor();
    await pack.getByRole('button', { name: 'What became of its rules' }).click();
    await dialog.getByText(/rules\/bad\.yml:\d+/).waitFor();
    await page.keyboard.press('Escape');
    await pack.getByRole('link', { name: 'Browse the rules' }).click();
    const rules = page.getByRole('region', { name: 'Rules', exact: true });
    await page.getByLabel('Search rules').fill('am i');
    await rules.getByRole('button', { name: /Who Am I/ }).click();
    const shown = page.getByRole('region', { name: 'Who Am I' });
    await shown.getByText('whoami.exe').waitFor();
    await shown.getByLabel('Level of this rule').selectOption('low');
    await page.reload();
    await expect.poll(() => shown.getByLabel('Level of this rule').inputValue()).toBe('low');
    expect(await rules.getByRole('button', { name: /Who Are You/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'All packs' }).click();
    await pack.getByRole('switch').click();
    await expect.poll(() => pack.getByRole('switch').isChecked()).toBe(false);
    await page.reload();
    expect(await pack.getByRole('switch').isChecked()).toBe(false);

    await page.getByRole('button', { name: 'Import a pack' }).click();
    await dialog
      .getByLabel('Zip archive or gzipped tar')
      .setInputFiles({ ...archive, buffer: Buffer.from('no archive') });
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await pack.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => pack.count()).toBe(0);
    // The refused archive was answered with its status.
    expect(errors().filter((text) => !text.includes('status of 4'))).toEqual([]);
  });
});
