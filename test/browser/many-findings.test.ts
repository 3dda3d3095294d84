import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { writeManyMatches, writeManyRules } from '../support/many-rules.ts';

const rules = 1500;
let folder: string;

async function env(): Promise<NodeJS.ProcessEnv> {
  folder = await mkdtemp(join(tmpdir(), 'svc-many-'));
  await writeManyRules(join(folder, 'pack'), rules);
  await writeManyMatches(join(folder, 'log.json'), rules, 2 * rules);
  return { RULE_PACKS: `many=${join(folder, 'pack')}` };
}

describeInBrowser(
  'a report of very many findings',
  ({ open, errors }) => {
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('has only those in sight on the page, and all within reach', async () => {
      const page = await open('/');
      await page.locator('input[type=file]').first().setInputFiles(join(folder, 'log.json'));
      await page.getByRole('button', { name: /^Submit/ }).click();
      await page.locator('a[href^="/jobs/"]').first().click({ timeout: 60_000 });
      const list = page.getByRole('region', { name: 'Findings', exact: true });
      await list.getByText(/^1\D500 findings$/).waitFor({ timeout: 60_000 });

      const rows = list.getByRole('button', { name: /^Word \d+ Seen/ });
      expect(await rows.count()).toBeLessThan(60);
      await page.keyboard.press('j');
      await page.waitForURL(/finding=\d+/);
      await expect.poll(() => list.locator('[aria-current=true]').count()).toBe(1);

      // The last group of all, behind folded ones.
      for (const name of ['Critical', 'High', 'Medium', 'Low']) {
        await list.getByRole('button', { name: new RegExp(`${name}.*300 rules`) }).click();
      }
      await list
        .getByRole('button', { name: /^Word \d*[49] Seen/ })
        .first()
        .waitFor();
      await list.getByLabel('Group findings by').selectOption('tactic');
      // The one that is chosen is kept in sight, and the head of its group with it.
      await list
        .getByRole('button', { name: /(Execution|Persistence|Discovery|Impact).*375 rules/ })
        .first()
        .waitFor();
      await list.getByLabel('Order within a group').selectOption('name');
      await page.waitForURL(/group=tactic.*sort=name|sort=name.*group=tactic/);

      await list.getByLabel('Filter findings').fill('Word 1499');
      await list.getByRole('button', { name: /^Word 1499 Seen/ }).click();
      await page.getByRole('heading', { name: 'Word 1499 Seen In A Script' }).waitFor();
      await list.getByLabel('Filter findings').fill('');
      // What was chosen is scrolled to, far down the list.
      await list.getByRole('button', { name: /^Word 1499 Seen/ }).waitFor();
      expect(await seriousBreaches(page)).toEqual([]);

      // A browser asks for six things at once: the job is not to wait behind the scripts of its page.
      const asked: string[] = [];
      const headers = { accept: 'text/html' };
      const shell = await (await page.request.get(page.url(), { headers })).text();
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        const isOfPage = /^\/assets\/.*\.js$|^\/jobs\/\d+$/.test(pathname) && !shell.includes(pathname);
        if (isOfPage && !request.isNavigationRequest()) asked.push(pathname);
      });
      const { pathname: job } = new URL(page.url());
      await page.goto(page.url());
      await list.getByText(/^1\D500 findings$/).waitFor();
      expect(asked[0]).toBe(job);
      expect(asked).toContainEqual(expect.stringMatching(/^\/assets\//));
      expect(errors()).toEqual([]);
    });
  },
  { env },
);
