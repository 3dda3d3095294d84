import type { EntityList } from '@svc/contracts';
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

describeInBrowser('tags and searches of entities', ({ openAsAdmin, errors, server }) => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Chosen entities' });
  const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

  /** What a search finds at this time. */
  async function found(page: Page, query: string): Promise<EntityList> {
    const headers = { accept: 'application/json' };
    const answer = await page.request.get(`${server().url}/intel/entities?q=${encodeURIComponent(query)}`, { headers });
    return (await answer.json()) as EntityList;
  }

  it('tags, allowlists and undoes by keyboard, one row, a range, and all that a search finds', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url };
    await page.request.post(`${server().url}/api/ui/samples/intrusion-sysmon`, { headers });
    // Entities are stored right after a job.
    await expect.poll(async () => (await found(page, 'powershell.exe')).total, { timeout: 120_000 }).toBeGreaterThan(0);
    await page.goto(`${server().url}/intel?sort=value`);
    await page.locator('a[data-row]').nth(3).waitFor();
    for (const key of ['j', 'x', 'ArrowDown', 'ArrowDown', 'X']) await page.keyboard.press(key);
    await bar(page).getByText('3 entities').waitFor();
    await page.keyboard.press('t');
    await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('Actor/Bear');
    await page.getByRole('option', { name: 'Create “actor/bear”' }).waitFor();
    await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
    await bar(page).getByText('Tagged 3 entities “actor/bear”').waitFor();
    const tagged = page.locator('tbody tr').filter({ has: page.getByText('actor/bear', { exact: true }) });
    await expect.poll(() => tagged.count()).toBe(3);
    await picture(page, 'entities-tagged');
    expect(await seriousBreaches(page)).toEqual([]);
    await bar(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await bar(page).getByText('Undone for 3 entities').waitFor();
    await expect.poll(() => tagged.count()).toBe(0);

    await bar(page).getByRole('button', { name: 'Allowlist', exact: true }).press('Enter');
    await bar(page).getByText('Allowlisted 3 entities').waitFor();
    await expect.poll(() => page.getByText('allowlisted', { exact: true }).count()).toBe(3);
    await bar(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => page.getByText('allowlisted', { exact: true }).count()).toBe(0);

    // More than a page, and some of it tagged already.
    await page.getByRole('checkbox', { name: 'Select all entities of this page' }).press('Space');
    const all = bar(page).getByRole('button', { name: /^Select all/ });
    const many = Number(/\d+/.exec((await all.innerText()).replaceAll(/\s/g, ''))?.[0]);
    expect(many).toBeGreaterThan(50);
    await all.press('Enter');
    await bar(page).getByText(`${many} entities`).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('actor/bear');
    await page.getByRole('option', { name: 'actor/bear' }).waitFor();
    await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
    await bar(page).getByText(`Tagged ${many} entities “actor/bear”`).waitFor();
    await bar(page).getByRole('button', { name: 'Untag' }).press('Enter');
    // The first of all is the most used, which the list may not know yet.
    await page.getByRole('combobox', { name: 'Tag' }).pressSequentially('actor/bear');
    await page.getByRole('option', { name: 'actor/bear' }).waitFor();
    await page.getByRole('combobox', { name: 'Tag' }).press('Enter');
    await bar(page).getByText(`Took “actor/bear” off ${many} entities`).waitFor();
    await bar(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await bar(page).getByText(`Undone for ${many} entities`).waitFor();
    await bar(page).getByRole('button', { name: 'Clear the selection' }).press('Enter');
    await bar(page).waitFor({ state: 'detached' });
    expect(errors()).toEqual([]);
  }, 240_000);

  it('keeps a search, shares it, and tells what is new in it', async () => {
    const page = await openAsAdmin('/intel?q=tag:actor/bear%20type:computer,user');
    await page.locator('a[data-row]').first().waitFor();
    await page.getByRole('button', { name: 'Saved searches' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name of this search' }).pressSequentially('The bear');
    await page.keyboard.press('Enter');
    await page.getByText('Saved “The bear”').waitFor();
    await page.getByRole('button', { name: 'Share The bear with all members' }).press('Enter');
    await page.getByText('All members find “The bear” now').waitFor();
    await page.getByRole('button', { name: 'Rename The bear' }).press('Enter');
    await page.getByRole('textbox', { name: 'New name of The bear' }).fill('Bears');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed “The bear”').waitFor();
    await picture(page, 'saved-searches');
    expect(await seriousBreaches(page)).toEqual([]);

    // Another log of the same computer.
    const [computer] = (await found(page, 'type:computer')).items;
    const event = { EventID: 4688, Channel: 'Security', Computer: computer!.value };
    const file = {
      name: 'later.json',
      mimeType: 'application/json',
      buffer: Buffer.from(`${JSON.stringify(event)}\n`),
    };
    const multipart = { workflow_id: '1', file };
    await page.request.post(`${server().url}/upload`, { headers: { origin: server().url }, multipart });
    const again = async () => (await found(page, 'tag:actor/bear type:computer jobs:>1')).total;
    await expect.poll(again, { timeout: 120_000 }).toBeGreaterThan(0);
    await page.goto(`${server().url}/intel`);
    const news = page.getByRole('button', { name: 'Saved searches: 1 with something new' });
    await news.waitFor();
    await news.press('Enter');
    await page.getByRole('link', { name: /^Bears: .* since you last looked/ }).waitFor();
    await picture(page, 'saved-searches-news');
    await page.getByRole('link', { name: /^Bears: .* since you last looked/ }).press('Enter');
    await page.waitForURL(/since=/);
    await page.getByText(/^seen since/).waitFor();
    await page.getByRole('button', { name: 'Saved searches', exact: true }).waitFor();
    expect(errors()).toEqual([]);
  }, 240_000);

  it('shows what is kept by pages, newest updated first', async () => {
    const page = await openAsAdmin('/intel');
    const headers = { origin: server().url };
    for (let nth = 1; nth <= 50; nth += 1) {
      const data = { name: `Kept ${nth}`, scope: 'entities', query: { q: `kept${nth}` }, is_shared: false };
      await page.request.post(`${server().url}/intel/saved-searches`, { headers, data });
    }
    await page.reload();
    await page.getByRole('button', { name: /^Saved searches/ }).press('Enter');
    await page.getByRole('link', { name: /^Kept 50/ }).waitFor();
    const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ hasText: 'of 51' });
    await pages.getByText('1–50 of 51').waitFor();
    expect(await page.getByRole('link', { name: /^Bears/ }).count()).toBe(0);
    await picture(page, 'saved-searches-pages');
    await pages.getByRole('button', { name: 'Next page' }).press('Enter');
    await page.getByRole('link', { name: /^Bears/ }).waitFor();
    await pages.getByText('51–51 of 51').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  }, 120_000);

  it('keeps the vocabulary: makes, colours, renames with what names it, merges and deletes', async () => {
    const page = await openAsAdmin('/intel');
    await page.getByRole('link', { name: 'Tags', exact: true }).press('Enter');
    await page.waitForURL(/\/intel\/tags$/);
    await row(page, /actor\/bear/).waitFor();
    await page.getByRole('button', { name: 'New tag' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('Actor/Panda');
    await page.keyboard.press('Enter');
    await page.getByText('Made “actor/panda”').waitFor();
    await page.getByRole('link', { name: 'actor/', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Colour of actor/panda' }).selectOption('Teal');
    await page.getByText('“actor/panda” is teal everywhere').waitFor();
    await picture(page, 'tags');
    expect(await seriousBreaches(page)).toEqual([]);

    await page.getByRole('button', { name: 'Rename actor/bear' }).press('Enter');
    await page.getByRole('textbox', { name: 'New name' }).fill('actor/fancy bear');
    await picture(page, 'tag-rename');
    await page.keyboard.press('Enter');
    await page
      .getByText('Renamed “actor/bear” to “actor/fancy bear”. 1 saved search or rule of yours changed.')
      .waitFor();
    await page.goto(`${server().url}/intel`);
    await page.getByRole('button', { name: 'Saved searches' }).press('Enter');
    await page.getByText('tag:"actor/fancy bear" type:computer,user').waitFor();

    await page.goto(`${server().url}/intel/tags?q=actor`);
    await page.getByRole('button', { name: 'Merge actor/panda' }).press('Enter');
    await page.getByRole('combobox', { name: 'The tag that stays' }).fill('actor/fancy bear');
    const merge = page.getByRole('dialog').getByRole('button', { name: 'Merge' });
    await expect.poll(() => merge.isEnabled()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('Merged “actor/panda” into “actor/fancy bear”').waitFor();
    await expect.poll(() => row(page, /actor\/panda/).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete actor/fancy bear' }).press('Enter');
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete tag' });
    expect(await remove.isEnabled()).toBe(false);
    await page.getByRole('textbox', { name: 'To go on, type “actor/fancy bear”' }).fill('actor/fancy bear');
    await page.keyboard.press('Enter');
    await page.getByText(/^Deleted “actor\/fancy bear”/).waitFor();
    await page.getByText('No tag has “actor” in its name').waitFor();
    expect(errors()).toEqual([]);
  }, 120_000);
});
