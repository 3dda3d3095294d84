import type { EntityGraph, EntityList } from '@svc/contracts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the graph of an entity', ({ openAsAdmin, errors, server }) => {
  const get = async <T>(page: Page, path: string): Promise<T> => {
    const answer = await page.request.get(server().url + path, { headers: { accept: 'application/json' } });
    expect([path, answer.ok()]).toEqual([path, true]);
    return (await answer.json()) as T;
  };
  const nodesOf = (page: Page) => page.getByRole('list', { name: 'Nodes', exact: true }).getByRole('button');
  const drawn = (page: Page, nodes: number) => page.locator(`[data-drawn="${nodes}"]`).waitFor();

  it('is opened, filtered by legend and search, expanded, and read by keyboard alone', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url };
    await page.request.post(`${server().url}/api/ui/samples/intrusion-sysmon`, { headers });
    const found = async () => (await get<EntityList>(page, '/intel/entities?q=type:exe powershell')).items[0];
    await expect.poll(found, { timeout: 60_000 }).toBeDefined();
    const { id, value } = (await found())!;
    const graph = await get<EntityGraph>(page, `/intel/entities/${id}/graph.json?only=typed,finding&job_edges=false`);
    const { nodes } = graph.stats;
    expect(nodes).toBeGreaterThan(5);

    await page.goto(`${server().url}/intel/entities/${id}`);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.waitForURL(/view=graph/);
    await drawn(page, nodes);
    await expect.poll(() => nodesOf(page).first().innerText()).toContain(value);

    // The legend takes nodes out of the picture and the list, and brings them back.
    const chip = page.getByRole('button', { name: /^Users/ });
    const users = graph.n.ty.filter((type) => type === 0).length;
    expect(users).toBeGreaterThan(0);
    await chip.click();
    await drawn(page, nodes - users);
    await chip.click();
    await drawn(page, nodes);

    // What does not meet a search leaves the list, and nothing else.
    const search = page.getByRole('searchbox', { name: 'Filter the graph' });
    await search.fill('type:user');
    await expect.poll(() => nodesOf(page).count()).toBe(users);
    await search.fill('type:user nobody-is-called-so');
    await page.getByText('Nothing here meets the filter').waitFor();
    await search.fill('');
    await drawn(page, nodes);

    // By keyboard: down the list, the counts of the one that is chosen, and its neighbours.
    await nodesOf(page).first().focus();
    await page.keyboard.press('ArrowDown');
    const chosen = nodesOf(page).and(page.locator('[aria-current=true]'));
    await expect.poll(() => chosen.evaluate((row) => row === document.activeElement)).toBe(true);
    const selection = page.getByRole('region', { name: 'Selected' });
    await selection
      .getByRole('button', { name: /^Expand .* by / })
      .first()
      .waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => selection.getByRole('link').innerText()).toBe(value);
    await page.keyboard.press('Escape');
    await expect.poll(() => selection.count()).toBe(0);

    // One more step is a place of its own, and Enter leads to the page of a node.
    await nodesOf(page).nth(1).click();
    const expand = selection.getByRole('button', { name: /same log/ });
    await expand.click();
    await page.getByRole('button', { name: /expanded by same log/ }).waitFor();
    await expect
      .poll(async () => Number(await page.locator('[data-drawn]').getAttribute('data-drawn')))
      .toBeGreaterThan(nodes);
    await page.getByRole('button', { name: /expanded by same log/ }).click();
    await drawn(page, nodes);
    await chosen.press('Enter');
    await page.waitForURL((url) => /\/intel\/entities\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`));
    expect(errors()).toEqual([]);
  }, 180_000);

  it('leads along the shortest path between two nodes, and is saved as picture and as GraphML', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url };
    await page.request.post(`${server().url}/api/ui/samples/intrusion-sysmon`, { headers });
    const found = async () => (await get<EntityList>(page, '/intel/entities?q=type:exe powershell')).items[0];
    await expect.poll(found, { timeout: 60_000 }).toBeDefined();
    const { id } = (await found())!;
    await page.goto(`${server().url}/intel/entities/${id}?view=graph&hops=2`);
    await page.locator('[data-drawn]').waitFor();
    await nodesOf(page).first().click();
    await page.getByRole('button', { name: 'Path from here' }).click();
    await nodesOf(page).nth(3).click();
    await page.getByRole('button', { name: /^Shortest path from/ }).click();
    await page.getByText(/^\d+ steps?.* → /).waitFor();

    const saved = async (item: string) => {
      await page.getByRole('button', { name: 'Save the graph' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item, exact: true }).click(),
      ]);
      return download.suggestedFilename();
    };
    expect(await saved('PNG')).toBe(`entity-${id}-graph.png`);
    expect(await saved('GraphML, unfiltered')).toBe(`entity-${id}-graph.graphml`);
    expect(await saved('JSON')).toBe(`entity-${id}-graph.json`);
    expect(errors()).toEqual([]);
  }, 180_000);
});
