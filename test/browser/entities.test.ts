import type { EntityList } from '@svc/contracts';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('what logs name', ({ openAsAdmin, errors, server }) => {
  const asJson = { accept: 'application/json' };
  const sent = (page: Page, sample: string) =>
    page.request.post(`${server().url}/api/ui/samples/${sample}`, { headers: { origin: server().url } });
  /** The first that a search finds, once the intel of a job is stored. */
  async function found(page: Page, q: string): Promise<EntityList['items'][number]> {
    const ask = async () => {
      const answer = await page.request.get(`${server().url}/intel/entities`, { params: { q }, headers: asJson });
      return ((await answer.json()) as EntityList).items[0];
    };
    await expect.poll(ask, { timeout: 60_000 }).toBeDefined();
    return (await ask())!;
  }

  it('is known again in the next report, at the first glance and under the pointer', async () => {
    const page = await openAsAdmin('/docs');
    await sent(page, 'intrusion-powershell');
    await found(page, 'job:1');
    await sent(page, 'intrusion-sysmon');
    const known = await found(page, 'job:1 job:2');
    await page.goto(`${server().url}/jobs/2`);
    const rows = page.getByRole('region', { name: 'Critical findings' }).getByRole('listitem');
    await page.getByRole('link', { name: /^\d+ of \d+ entities seen before$/ }).waitFor();
    await expect.poll(async () => (await rows.first().boundingBox())?.y ?? Infinity).toBeLessThanOrEqual(320);

    await page.getByRole('link', { name: /entities seen before$/ }).click();
    await page.waitForURL(/view=entities/);
    // What the page before still asks must not be counted.
    const address = page.url();
    await page.goto('about:blank');
    const asked: unknown[][] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/known')) asked.push((request.postDataJSON() as { entities: unknown[] }).entities);
    });
    await page.goto(address);
    const seen = page.getByRole('region', { name: 'Seen before' });
    await seen.getByRole('link', { name: known.value, exact: true }).waitFor();
    const computers = page.getByRole('region', { name: 'Computers' });
    await computers.getByText('1 job', { exact: true }).first().waitFor();
    // Those that are drawn together are asked for together, and none twice.
    const values = asked.flat().map((one) => JSON.stringify(one));
    expect(new Set(values).size).toBe(values.length);
    expect(asked.length).toBeLessThan(values.length / 4);
    await computers
      .getByRole('button', { name: /^Host / })
      .first()
      .focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page
      .getByRole('tooltip')
      .getByText(/(Seen before, in|New here)/)
      .waitFor();
    await seen.getByRole('button', { name: /^New here/ }).click();
    await seen.getByRole('link', { name: known.value, exact: true }).waitFor({ state: 'detached' });
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it('has a page that Ctrl K leads to, with what members say of it', async () => {
    const page = await openAsAdmin('/docs');
    await sent(page, 'intrusion-sysmon');
    const { id, value } = await found(page, 'type:exe has:finding');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill(value);
    await page.getByRole('option', { name: value, exact: true }).click();
    await page.waitForURL(new RegExp(`/intel/entities/${id}\\?job=\\d+$`));

    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByRole('combobox', { name: 'Name of a tag' }).fill('C2/beacon');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'c2/beacon' }).waitFor();
    await page.getByRole('switch', { name: 'Allowlisted' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'Allowlisted' }).isChecked()).toBe(true);
    const [marked] = [await found(page, `tag:c2/ is:allowlisted`)];
    expect(marked.id).toBe(id);
    await page.getByRole('button', { name: 'Take “c2/beacon” off' }).click();
    await page.getByRole('link', { name: 'c2/beacon' }).waitFor({ state: 'detached' });

    // Somebody else saves while this page is open.
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Seen on every host');
    const other = { data: { body: 'Ours' }, headers: { origin: server().url } };
    expect((await page.request.post(`${server().url}/intel/entities/${id}/notes`, other)).ok()).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody has changed the note since you opened it').waitFor();
    expect(await note.inputValue()).toBe('Seen on every host');
    // What they saved is read here, and what was begun goes on from it.
    await page.getByText('Theirs says:').waitFor();
    await page.getByRole('button', { name: /mine takes its place$/ }).click();
    await note.fill('Ours, on **every** host <img src=x>');
    await page.getByRole('button', { name: 'Save' }).click();
    const shown = page.getByRole('region', { name: 'Note' });
    await shown.locator('strong', { hasText: 'every' }).waitFor();
    expect(await shown.locator('img').count()).toBe(0);
    await shown.getByRole('button', { name: 'Edit' }).click();
    expect(await note.inputValue()).toBe('Ours, on **every** host <img src=x>');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('tab', { name: 'Discussion' }).click();
    await page.getByLabel('New comment').fill('It came with the image of 2024.');
    await page.getByLabel('New comment').press('Control+Enter');
    await page.getByRole('tab', { name: 'Discussion 1' }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('tab', { name: 'ATT&CK' }).click();
    await page
      .getByRole('cell', { name: /^T\d{4}/ })
      .first()
      .waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it('begins with what findings say of it, when it was seen and what it is tied to', async () => {
    const page = await openAsAdmin('/docs');
    await sent(page, 'intrusion-sysmon');
    const { id } = await found(page, 'in:(powershell.exe) type:exe');
    await page.goto(`${server().url}/intel/entities/${id}`);
    await page.getByText(/name it, in 1 of 1 job/).waitFor();
    const seen = page.getByRole('slider', { name: /^Jobs that saw it/ });
    await seen.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=\d+&to=\d+/);
    const jobs = page.getByRole('region', { name: 'Jobs that name it' });
    await jobs.getByRole('button', { name: /^Remove filter \d{4}-/ }).waitFor();
    await expect.poll(() => jobs.getByRole('listitem').count()).toBe(1);
    await jobs.getByRole('button', { name: /^Remove filter/ }).click();
    await page.waitForURL((url) => !url.search.includes('from='));
    await page.getByRole('region', { name: 'Seen on hosts' }).getByRole('listitem').first().waitFor();
    await page.getByText('names it', { exact: true }).first().waitFor();
    expect(await seriousBreaches(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Findings' }).click();
    // One job alone names it, so that the page has opened on that; all of them are a choice.
    const scope = page.getByRole('combobox', { name: 'Job', exact: true });
    await page.waitForURL(/job=[1-9]/);
    await scope.selectOption({ label: 'All jobs' });
    await page.waitForURL(/job=0/);
    await page.reload();
    await expect.poll(() => scope.inputValue()).toBe('0');
    await scope.selectOption({ index: 1 });
    await page.waitForURL(/job=[1-9]/);
    await page
      .getByRole('link', { name: /^Other jobs in which .* fired$/ })
      .first()
      .waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export what is known of it' }).click();
    const layer = page.getByRole('menuitem', { name: 'ATT&CK Navigator layer' });
    expect(await layer.getAttribute('href')).toMatch(/mitre-layer\?job=\d+$/);
    expect(errors()).toEqual([]);
  });

  it('are exported as the search finds them, and one with what surrounds it', async () => {
    const page = await openAsAdmin('/intel?q=type:exe');
    await sent(page, 'intrusion-sysmon');
    const { id } = await found(page, 'in:(powershell.exe) type:exe');
    // What the shared rules call things are filters, of which the first ten are in sight.
    const labels = page.getByRole('group', { name: 'Labels' });
    expect(await labels.getByRole('button', { name: 'offsec_tool', exact: true }).count()).toBe(0);
    await labels.getByRole('button', { name: /^All \d+ labels$/ }).click();
    await labels.getByRole('button', { name: 'offsec_tool', exact: true }).waitFor();
    const label = labels.getByRole('button', { name: 'lolbin', exact: true });
    const asked = page.waitForRequest((request) => /\/intel\/entities\?.*tags=lolbin/.test(request.url()));
    await label.click();
    await asked;
    await expect.poll(() => label.getAttribute('aria-pressed')).toBe('true');
    await label.click();
    await page.waitForURL((url) => !url.search.includes('tags='));
    const save = async (name: string) => {
      await page.getByRole('button', { name: /^Export/ }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    const table = await save('Table (CSV)');
    expect(table).toMatch(/^value,type,[^\n]*\r\n(?:[^\n]*,executable,[^\n]*\r\n)+$/);
    await page.goto(`${server().url}/intel/entities/${id}`);
    expect(JSON.parse(await save('STIX 2.1 bundle'))).toMatchObject({ type: 'bundle' });
    expect(errors()).toEqual([]);
  });

  it('is one with its other writings wherever it is listed, counted or drawn, until they are parted again', async () => {
    const page = await openAsAdmin('/docs');
    await sent(page, 'intrusion-sysmon');
    const q = 'type:exe has:finding';
    const first = await found(page, q);
    const rows = page.getByRole('table').getByRole('row');
    await page.goto(`${server().url}/intel?q=${encodeURIComponent(q)}&sort=value`);
    await rows.nth(2).getByRole('checkbox').waitFor();
    const many = await rows.count();
    await rows.nth(1).getByRole('checkbox').check();
    await rows.nth(2).getByRole('checkbox').check();
    const bar = page.getByRole('region', { name: 'Chosen entities' });
    await bar.getByRole('button', { name: 'The same' }).click();
    await bar.getByText('2 entities are the same now').waitFor();
    await page.getByText('+1 alias', { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(many - 1);
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('button', { name: 'Aliases in one row' }).click();
    await page.waitForURL(/apart=true/);
    await expect.poll(() => rows.count()).toBe(many);

    await rows.nth(1).getByRole('link').first().click();
    const same = page.getByRole('region', { name: 'Same as' });
    await same.getByRole('link').waitFor();
    await same.getByRole('switch', { name: 'Jobs and findings of all of them' }).click();
    await page.waitForURL(/aliases=true/);
    await page.getByRole('region', { name: 'Jobs that name it or an alias' }).getByRole('listitem').first().waitFor();
    await page.getByRole('tab', { name: /^Findings \d+$/ }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    const value = await page.getByRole('heading', { level: 1 }).locator('code').textContent();
    await page.goto(`${page.url().split('?')[0]}?view=graph`);
    await page.locator('[data-drawn]').waitFor();
    const nodes = page.getByRole('region', { name: 'Nodes of the graph' });
    await nodes.getByRole('button').first().click();
    await page.getByRole('region', { name: 'Selected' }).getByText('with 1 alias').waitFor();
    await page.getByRole('button', { name: 'aliases as one' }).click();
    await page.getByRole('region', { name: 'Selected' }).getByText('with 1 alias').waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Overview' }).click();
    await same.getByRole('button', { name: 'By itself' }).click();
    await same.getByRole('link').waitFor({ state: 'detached' });
    await same.getByRole('button', { name: 'Same as…' }).click();
    await same
      .getByRole('searchbox', { name: 'Search for what is the same' })
      .fill(first.value === value ? 'exe' : first.value);
    await same
      .getByRole('button', { name: /^Same as “/ })
      .first()
      .click();
    await same.getByRole('button', { name: /is another$/ }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it('is shown with the evidence of how it is related to others', async () => {
    const page = await openAsAdmin('/docs');
    await sent(page, 'intrusion-sysmon');
    const { id } = await found(page, 'in:(powershell.exe) type:exe');
    await page.goto(`${server().url}/intel/entities/${id}?view=relationships`);
    const kinds = page.getByRole('group', { name: 'Types of relationships' });
    const groups = page.getByRole('tabpanel').getByRole('region');
    await kinds.getByRole('button', { name: /^runs on/ }).click();
    await page.waitForURL(/kinds=runs_on/);
    await expect.poll(() => groups.count()).toBe(1);
    const opener = groups.getByRole('button', { name: /^Evidence of / }).first();
    await opener.click();
    const evidence = page.getByRole('dialog', { name: 'Evidence of the relationship' });
    await evidence.getByText(/^Observed/).waitFor();
    await evidence.getByText('Computer', { exact: true }).first().waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await evidence.waitFor({ state: 'detached' });
    expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
    // Nothing was seen in the year before the service knows of any log.
    await page.getByLabel(/^To/).fill('1999-01-01T00:00:00');
    await page.getByText('No relationship passes the filters').waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Show all' }).first().click();
    await expect.poll(() => groups.count()).toBeGreaterThan(1);
    expect(await page.getByLabel(/^To/).inputValue()).toBe('');
    expect(errors()).toEqual([]);
  });

  it('is listed where people type the address at which programs read it, with the same search', async () => {
    const page = await openAsAdmin('/intel/entities?q=type:hash&types=hash,user&since=2020-01-01');
    await page.waitForURL(/\/intel\?/);
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/intel',
      { q: 'type:hash', types: 'hash,user', since: '2020-01-01' },
    ]);
    await page.getByRole('heading', { name: 'Entities', level: 1 }).waitFor();
  });

  it('rings the bell beside the switch of the theme, however often', async () => {
    const page = await openAsAdmin('/docs');
    await page.route('**/notifications/count', (route) => route.fulfill({ json: { unread: 250 } }));
    await page.goto(`${server().url}/intel`);
    const many = page.getByText('99+', { exact: true });
    await many.waitFor();
    const [badge, theme] = [await many.boundingBox(), await page.getByRole('button', { name: /theme/i }).boundingBox()];
    expect(badge!.x + badge!.width).toBeLessThanOrEqual(theme!.x);
  });
});
