import { copyFile, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { operations } from '@svc/contracts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const hostile = '<script>window.hit = 1</script><img src="https://tracker.invalid/x.png" onerror="window.hit = 1">';

/** Titles of the outline of a PDF, and how many pages it has. */
function readPdf(pdf: Buffer): { readonly pages: number; readonly titles: readonly string[] } {
  const text = pdf.toString('latin1');
  const titles = [...text.matchAll(/\/Title \(((?:\\.|[^\\)])*)\)/g)].map(([, title]) =>
    title!.replace(/\\(.)/g, '$1'),
  );
  return { pages: text.match(/\/Type \/Page\b/g)?.length ?? 0, titles };
}

/** The file that a form of the menu saves. */
async function saved(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: form }).click();
  return (await download).path();
}

describeInBrowser('a report that is handed over', ({ open, openAsAdmin, errors }) => {
  async function analysedSample(page: Page): Promise<number> {
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    return Number(/\d+/.exec(new URL(page.url()).pathname)![0]);
  }

  it('is one file that says it all, loads nothing and runs nothing', async () => {
    const page = await openAsAdmin('/');
    const id = await analysedSample(page);
    const address = operations.addComment.path.replace('{target}', 'job').replace('{id}', String(id));
    const origin = new URL(page.url()).origin;
    const told = await page.request.post(origin + address, { data: { body: hostile }, headers: { origin } });
    expect(told.status()).toBe(200);
    const file = await saved(page, 'Report as HTML');
    const csv = await readFile(await saved(page, 'Findings as CSV'), 'utf8');
    const listed = (await (await page.request.get(`${origin}/jobs/${id}/findings`)).json()) as { total: number };
    expect(csv.split('\r\n')).toHaveLength(listed.total + 2);

    const alone = await open('/health');
    const asked: string[] = [];
    alone.on('request', (request) => asked.push(request.url()));
    await copyFile(file, `${file}.html`);
    await alone.goto(pathToFileURL(`${file}.html`).href);
    await alone.getByRole('heading', { name: 'Verdict: Critical' }).waitFor();
    for (const name of ['What happened', 'Hosts and users', 'Timeline', 'ATT&CK', '1 comment', 'Appendix']) {
      expect(await alone.getByRole('heading', { name, exact: true }).count()).toBe(1);
    }
    expect(await alone.getByText(hostile, { exact: true }).count()).toBe(1);
    const evidence = await alone.locator('.evidence').allInnerTexts();
    expect(evidence.length).toBeGreaterThan(3);
    expect(evidence.length).toBeLessThanOrEqual(10);
    expect(evidence.join('\n')).toContain('CommandLine: ');
    expect(await alone.evaluate(() => 'hit' in window)).toBe(false);
    for (const colorScheme of ['dark', 'light'] as const) {
      await alone.emulateMedia({ colorScheme });
      expect(await seriousBreaches(alone)).toEqual([]);
    }
    await alone.setViewportSize({ width: 768, height: 900 });
    expect(await alone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768);
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('about:'))).toEqual([]);
    const { pages, titles } = readPdf(await alone.pdf({ format: 'A4', outline: true, tagged: true }));
    expect(pages).toBeGreaterThanOrEqual(3);
    expect(titles).toEqual(expect.arrayContaining(['Verdict: Critical', 'What happened', 'Timeline', 'Appendix']));

    // What a visitor may not read is not in what a visitor saves.
    const visitor = await open(`/jobs/${id}`);
    await visitor.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    const theirs = await readFile(await saved(visitor, 'Report as HTML'), 'utf8');
    expect(theirs).toContain('Verdict: Critical');
    expect(theirs).not.toContain('tracker.invalid');
    expect(errors()).toEqual([]);
  });

  it('is what is printed, once all of it is there', async () => {
    const page = await open('/');
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-asked-to-print', '');
    });
    const id = await analysedSample(page);
    await page.goto(`${new URL(page.url()).origin}/jobs/${id}?view=timeline`);
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('Control+p');
    await page.locator('html[data-asked-to-print]').waitFor();
    const { pages, titles } = readPdf(await page.pdf({ format: 'A4', outline: true, tagged: true }));
    expect(pages).toBeGreaterThanOrEqual(3);
    for (const title of ['intrusion-sysmon.evtx', 'Verdict: Critical', 'What happened', 'Timeline', 'Appendix'])
      expect(titles).toContain(title);
    expect(errors()).toEqual([]);
  });
});
