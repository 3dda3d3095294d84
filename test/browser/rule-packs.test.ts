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

describeInBrowser('rule packs', ({ openAsAdmin, errors }) => {
  it('are imported from a file, told of, switched off and removed', async () => {
    const page = await openAsAdmin('/admin/rule-packs');
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

  it('show the rules of a technique, and what is left of a filter in the address', async () => {
    const page = await openAsAdmin('/admin/rule-packs/core');
    const shown = await page.getByRole('heading', { level: 1 }).locator('+ span').textContent();
    const all = Number(shown?.replaceAll(/\D/g, ''));
    await page.getByRole('button', { name: 'Show the techniques' }).click();
    const cell = page.getByRole('button', { name: /^T1059 Command and Scripting Interpreter, \d+ rules$/ }).first();
    const many = Number(/, (\d+)/.exec((await cell.getAttribute('aria-label')) ?? '')?.[1]);
    await cell.click();
    const total = page.getByRole('heading', { level: 1 }).locator('+ span');
    await expect.poll(() => total.textContent()).toBe(String(many));
    expect(many).toBeLessThan(all);
    // Arrow keys go from one technique to the next.
    await cell.focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /^T\d{4} .+, \d+ rules?$/,
    );
    await page.getByRole('group', { name: 'Sub-techniques of T1059' }).getByRole('button').first().click();
    await page.waitForURL(/technique=T1059\.\d{3}/);
    await page.getByLabel('Fired').selectOption('yes');
    await page.getByText('No rule passes these filters.').waitFor();
    await page.reload();
    await page.getByText('No rule passes these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => total.textContent()).toBe(shown);
  });

  it('take rules that were written and tested here', async () => {
    const page = await openAsAdmin('/admin/rule-packs');
    const jobId = await page.evaluate(async () => {
      const answer = await fetch('/api/ui/samples/intrusion-sysmon', { method: 'POST' });
      return ((await answer.json()) as { job_id: number }).job_id;
    });
    const statusOf = (): Promise<string> =>
      page.evaluate(async (id) => {
        const answer = await fetch(`/jobs/${id}`, { headers: { accept: 'application/json' } });
        return ((await answer.json()) as { status: string }).status;
      }, jobId);
    await expect.poll(statusOf, { timeout: 60_000 }).toBe('completed');

    await page.getByRole('link', { name: 'Write a rule' }).click();
    const source = page.getByLabel('Source of the rule');
    const verdict = page.getByRole('status', { name: 'What the compiler says' });
    await verdict.getByText(/^Compiles/).waitFor();
    const text = (await source.inputValue()).replace('Say What It Detects', 'Who Is There');
    await source.fill(text.replace('endswith', 'endsnowhere'));
    await verdict.getByRole('button', { name: 'Line 16' }).click();
    expect(await page.getByRole('button', { name: 'Save as a rule of your own' }).isDisabled()).toBe(true);
    // Made to take time: the page goes on, and a worker that is too slow is ended.
    await source.fill(
      `a: &a [1]\n${Array.from({ length: 30 }, (_, at) => `b${at}: [${'*a, '.repeat(60)}1]`).join('\n')}`,
    );
    await verdict.getByText('aliases exceeded').waitFor();
    await source.fill(text);
    await verdict.getByText('Compiles: Medium, Who Is There').waitFor();

    const test = page.getByRole('region', { name: 'Test' });
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByText('1 of 1 log').waitFor();
    await test.getByRole('cell', { name: 'Image|endswith \\whoami.exe' }).waitFor();
    await test.getByRole('button', { name: 'A file' }).click();
    await test.getByLabel('Log to test on').setInputFiles('config/samples/intrusion-security.evtx');
    await test.getByText(/and none matches/).waitFor();
    await test.getByLabel('Log to test on').setInputFiles('config/samples/intrusion-sysmon.evtx');
    await test.getByRole('cell', { name: 'C:\\Windows\\System32\\whoami.exe' }).waitFor();

    await page.getByRole('button', { name: 'Save as a rule of your own' }).click();
    const shown = page.getByRole('region', { name: 'Who Is There' });
    await shown.getByRole('link', { name: 'Change or test it' }).click();
    await source.fill((await source.inputValue()).replace('level: medium', 'level: high'));
    await verdict.getByText('Compiles: High').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await shown.getByLabel('High').waitFor();
    await shown.getByRole('link', { name: 'Change or test it' }).click();
    await page.getByRole('button', { name: 'Remove the rule' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('region', { name: 'core' }).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'custom' }).count()).toBe(0);
    expect(errors().filter((message) => !message.includes('status of 4'))).toEqual([]);
  });
});
