import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { writeProcessStarts, writeStartRule } from '../support/process-log.ts';

let folder: string;

async function env(): Promise<NodeJS.ProcessEnv> {
  folder = await mkdtemp(join(tmpdir(), 'svc-rows-'));
  await writeStartRule(join(folder, 'pack'));
  await writeProcessStarts(join(folder, 'starts.json'), 2000);
  return { RULE_PACKS: `starts=${join(folder, 'pack')}` };
}

describeInBrowser(
  'a report of very many processes',
  ({ openAsAdmin, errors }) => {
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('has only those in sight on the page, and all within reach of keys and search', async () => {
      // Visitors get the shipped rules alone.
      const page = await openAsAdmin('/');
      await page.locator('input[type=file]').first().setInputFiles(join(folder, 'starts.json'));
      await page.getByRole('button', { name: 'Analyse in this browser' }).click();
      await page.getByRole('tab', { name: 'Process tree' }).click({ timeout: 60_000 });
      const tree = page.getByRole('tree', { name: 'Processes' });
      const items = tree.getByRole('treeitem');
      const focused = tree.locator('[role=treeitem]:focus');
      await items.first().waitFor();
      expect(await items.count()).toBeLessThan(80);

      await items.first().focus();
      await page.keyboard.press('End');
      await expect.poll(() => focused.innerText()).toMatch(/task-1999/);
      await page.mouse.move(700, 700);
      await page.mouse.wheel(0, -200_000);
      await tree.getByText(/task-0\b/).waitFor();
      // What has the focus is still there to go on from.
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => focused.innerText()).toMatch(/task-1998/);
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => focused.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused.getAttribute('aria-level')).toBe('2');
      expect(await seriousBreaches(page)).toEqual([]);

      await page.getByLabel('Search processes').fill('task-1234 ');
      await expect.poll(() => items.count()).toBe(2);
      await page.getByLabel('Search processes').fill('');
      await page.getByRole('button', { name: 'Close all' }).click();
      await expect.poll(() => items.first().getAttribute('aria-expanded')).toBe('false');
      expect(await items.count()).toBeLessThan(80);

      await page.getByRole('tab', { name: 'Timeline' }).click();
      const matches = page.getByRole('region', { name: 'Matches in order of time' });
      const rows = matches.getByRole('row');
      await matches.getByText('2026-08-01 00:00:00').first().waitFor();
      expect(await rows.count()).toBeLessThan(80);
      expect(await matches.getByRole('table').getAttribute('aria-rowcount')).toBe('2001');
      await matches.getByRole('table').hover();
      await page.mouse.wheel(0, 200_000);
      await matches.getByText('2026-08-01 00:33:19').first().waitFor();
      expect(await seriousBreaches(page)).toEqual([]);
      expect(errors()).toEqual([]);
    });
  },
  { env },
);
