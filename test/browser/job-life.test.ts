import { unzipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

/** Bytes that come from a click, and the name that they are saved under. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

describeInBrowser('the end of a job', ({ open, openAsAdmin, errors, server }) => {
  it('gives administrators its file and raw outputs, and goes with all that hangs on it', async () => {
    const page = await openAsAdmin('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    const address = new URL(page.url()).pathname;
    const id = address.split('/').at(-1);
    const menu = page.getByRole('button', { name: 'More actions' });
    const choose = async (name: string | RegExp): Promise<void> => {
      await menu.click();
      await page.getByRole('menuitem', { name }).click();
    };

    await page.getByRole('tab', { name: 'Raw' }).click({ timeout: 60_000 });
    const task = page.getByRole('region', { name: 'Task sigma-native' });
    await task.getByText('matches.jsonl.gz').waitFor();
    await task.getByText('Log', { exact: true }).click();
    await task.getByText(/rules: core/).waitFor();

    await choose('Recalculate analytics');
    // A worker begins within a second; the page asks every three.
    await page.getByText(/Last time recalculated from \d+ matched events/).waitFor({ timeout: 15_000 });

    const original = await downloaded(page, () => choose('Download original file'));
    expect(original.name).toMatch(/\.evtx$/);
    expect(original.bytes.subarray(0, 7).toString()).toBe('ElfFile');
    const zip = await downloaded(page, () => choose('Raw outputs as ZIP'));
    expect(zip.name).toBe(`job_${id}_raw_results.zip`);
    const matches = gunzipSync(unzipSync(zip.bytes)['1-sigma-native/matches.jsonl.gz']!).toString();
    expect(matches).toContain('comsvcs');
    await page.getByLabel('Entities').uncheck();
    const analytics = page.getByRole('region', { name: 'Analytics' });
    const json = await downloaded(page, () => analytics.getByRole('link', { name: 'Analytics as JSON' }).click());
    const sections = JSON.parse(json.bytes.toString()) as Record<string, unknown>;
    expect([sections['threat_detection'] !== undefined, sections['users']]).toEqual([true, undefined]);

    await choose('Delete…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The uploaded file goes, too').waitFor();
    await dialog.getByRole('button', { name: 'Delete job' }).click();
    await page.waitForURL(/\/jobs$/);
    expect((await page.request.get(server().url + address, { headers: { accept: 'application/json' } })).status()).toBe(
      404,
    );
    await page.goto(server().url + address);
    await page.getByText('There is nothing at this address').waitFor();
    expect(errors()).toEqual([]);
  }, 240_000);

  it('is out of reach for visitors', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: 60_000 });
    expect(await page.getByRole('tab', { name: 'Raw' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Compare with another job']);
    const path = new URL(page.url()).pathname;
    expect((await page.request.get(`${server().url}${path}/download`)).status()).toBe(401);
  });
});
