import type { AlertRule } from '@svc/contracts';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

/** Where to keep pictures of the pages for people to look at; none by default. */
const pictures = process.env['SCREENSHOTS'];

async function look(page: Page, name: string): Promise<void> {
  expect([name, await seriousBreaches(page)]).toEqual([name, []]);
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

describeInBrowser('alert rules', ({ openAsAdmin, errors, server }) => {
  const field = (page: Page, name: string) => page.getByRole('textbox', { name });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  it('are made of a search by keyboard, tried, edited, restored and deleted', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url, accept: 'application/json' };
    await page.request.post(`${server().url}/api/ui/samples/intrusion-sysmon`, { headers });
    // Entities are stored right after a job.
    const total = async (): Promise<number> => {
      const answer = await page.request.get(`${server().url}/intel/entities?q=powershell.exe`, { headers });
      return ((await answer.json()) as { total: number }).total;
    };
    await expect.poll(total, { timeout: 120_000 }).toBeGreaterThan(0);

    // Two clicks: from a search to the editor, and to the rule.
    await page.goto(`${server().url}/intel?q=powershell&types=executable`);
    await page.getByRole('link', { name: 'Make a rule' }).press('Enter');
    await expect.poll(() => field(page, 'Condition').inputValue()).toBe('"powershell" type:executable');
    await page.getByText(/^Finds \d+ entit/).waitFor();
    await field(page, 'Name').fill('PowerShell');
    await look(page, 'rule-new');
    await button(page, 'Make rule').press('Enter');
    await page.getByRole('heading', { name: 'PowerShell' }).waitFor();

    // The condition is completed and looked at while it is typed.
    await field(page, 'Condition').fill('type:spirit');
    await page.getByText(/type:spirit: /).waitFor();
    await field(page, 'Condition').fill('');
    await page.getByText('Without a condition the rule matches every entity').waitFor();
    await field(page, 'Condition').pressSequentially('powershell.exe type:exec');
    await page.getByRole('option', { name: /executable/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'Condition').inputValue()).toMatch(/^powershell\.exe type:executable/);
    await field(page, 'Tags to give').fill('Hunt/PS, seen');
    await page.getByRole('group', { name: 'Colour of hunt/ps' }).getByRole('radio', { name: 'Red' }).check();
    await button(page, 'Save').press('Enter');
    await page.getByRole('status').getByText('Saved').waitFor();

    // It rests while the condition is looked at, which is done again whenever somebody stops typing.
    await expect
      .poll(async () => {
        await button(page, 'Test against recent jobs').press('Enter');
        return page.getByText(/\d+ match(es)? in 1 of the last 1 job that you see/).count();
      })
      .toBe(1);
    await button(page, 'Back-test').press('Enter');
    await page.getByText(/^Done: 1 job looked at/).waitFor({ timeout: 60_000 });

    const { mine } = (await (await page.request.get(`${server().url}/intel/rules`, { headers })).json()) as {
      mine: AlertRule[];
    };
    expect(mine[0]?.action_tags).toEqual([
      { name: 'hunt/ps', color: 'red' },
      { name: 'seen', color: 'gray' },
    ]);
    await page.getByText('Versions', { exact: true }).click();
    await page.getByRole('button', { name: 'Restore version 1' }).waitFor();
    await look(page, 'rule-tried');
    await page.getByRole('button', { name: 'Restore version 1' }).press('Enter');
    await expect.poll(() => field(page, 'Condition').inputValue()).toBe('"powershell" type:executable');

    await button(page, 'All rules').press('Enter');
    const row = page.getByRole('row', { name: /PowerShell/ });
    await row.waitFor();
    await row.getByRole('switch', { name: 'PowerShell is on' }).press('Space');
    await expect.poll(() => row.getByRole('switch').isChecked()).toBe(false);
    await field(page, 'Filter rules').fill('no such');
    await row.waitFor({ state: 'detached' });
    await field(page, 'Filter rules').fill('POWER');
    await page.getByRole('link', { name: 'PowerShell' }).press('Enter');
    await button(page, 'Delete rule').press('Enter');
    await page.getByText('No rules of your own yet').waitFor();
    expect(errors()).toEqual([]);
  }, 240_000);

  it('are made by a star, on the list and on the page of an entity', async () => {
    const page = await openAsAdmin('/intel?q=powershell.exe&types=executable');
    const star = page.getByRole('button', { name: /^Watch .*powershell\.exe$/ }).first();
    await star.press('Enter');
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await page.locator('a[data-row]').first().press('Enter');
    // The list's star goes only when the page of the entity is there.
    await page.waitForURL(/\/intel\/entities\/\d+/);
    const onPage = page.getByRole('heading', { level: 1 }).getByRole('button', { name: /^Watch / });
    await expect.poll(() => onPage.getAttribute('aria-pressed')).toBe('true');
    await onPage.press('Enter');
    await expect.poll(() => onPage.getAttribute('aria-pressed')).toBe('false');
    expect(errors()).toEqual([]);
  }, 120_000);

  it.each([
    ['dark', 1440],
    ['light', 1440],
    ['dark', 768],
    ['light', 768],
  ] as const)(
    'are listed and edited in %s at %i',
    async (scheme, width) => {
      const page = await openAsAdmin('/', { scheme, width });
      const headers = { origin: server().url, accept: 'application/json' };
      const data = { name: `Rule ${scheme} ${width}`, query: 'type:ip\n-cidr:10.0.0.0/8', action_tags: 'hunt/ip' };
      const made = await page.request.post(`${server().url}/intel/rules`, { headers, data });
      expect(made.status()).toBe(201);
      await page.goto(`${server().url}/intel/rules`);
      await page.getByRole('link', { name: data.name }).waitFor();
      await look(page, `rules-${scheme}-${width}`);
      await page.getByRole('link', { name: data.name }).click();
      await page.getByText(/^Finds /).waitFor();
      await look(page, `rule-${scheme}-${width}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(errors()).toEqual([]);
    },
    120_000,
  );
});
