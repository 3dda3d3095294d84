import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { describeWithSharedData, sharedData } from '../support/shared-data.ts';

/** Drops a file on the page as a person does. */
async function drop(page: Page, name: string, path: string): Promise<void> {
  const content = readFileSync(path).toString('base64');
  const transfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const bytes = Uint8Array.from(atob(base64!), (char) => char.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], fileName!));
      return files;
    },
    [name, content],
  );
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('main', event, { dataTransfer: transfer });
  }
}

describeWithSharedData('a real log through the page', () => {
  describeInBrowser('upload to finding', ({ open, errors, server }) => {
    it('recognises a dropped EVTX, opens its report and shows what matched', async () => {
      const page = await open('/');
      await drop(page, 'atomic.evtx', sharedData('evtx', 'sysmon-atomic-red-team.evtx'));
      const type = page.getByLabel('Type of atomic.evtx');
      await expect.poll(() => type.locator('option:checked').innerText()).toContain('EVTX');
      await page.getByRole('button', { name: /^Submit/ }).click();
      await page.waitForURL(/\/jobs\/\d+/);
      await page.getByText('Completed').first().waitFor({ timeout: 90_000 });
      const findings = page.getByRole('region', { name: 'Findings' });
      await findings.getByText('Shadow Copies Or Recovery Options Removed').click();
      await page
        .getByText(/vssadmin|bcdedit|wbadmin|wmic/i)
        .filter({ visible: true })
        .first()
        .waitFor();
      expect(errors()).toEqual([]);
    });

    it('names a log whose kind cannot be analysed yet, instead of reporting nothing', async () => {
      const page = await open('/');
      await drop(page, 'notes.txt', sharedData('README.md'));
      await page.getByText('No workflow').first().waitFor();
      expect(errors()).toEqual([]);
    });

    it('signs the first administrator in, and tells a wrong password', async () => {
      const password = /password\s+(\S+)/.exec(server().output())?.[1];
      const page = await open('/login');
      await page.getByLabel('E-mail').fill('admin@localhost');
      await page.locator('input[name=password]').fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await page.locator('input[name=password]').fill(password!);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname !== '/login');
      expect(errors()).toEqual([]);
    });

    it('says the same as the API', async () => {
      const { jobs } = (await (await fetch(`${server().url}/api/v1/jobs?ids=1`)).json()) as {
        jobs: { status: string; total_findings: number }[];
      };
      const page = await open('/jobs/1');
      await page.getByText('matched events').first().waitFor();
      const text = await page.locator('main').innerText();
      expect(jobs[0]!.status).toBe('completed');
      expect(text).toContain(String(jobs[0]!.total_findings));
    });
  });
});

describeInBrowser('samples', ({ open, errors }) => {
  it('analyses a shipped sample with one click and names what happened', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 90_000 });
    await page.getByText('Completed').first().waitFor({ timeout: 90_000 });
    await page.getByText('Critical').first().waitFor();
    expect(errors()).toEqual([]);
  });

  it('keeps filters in the address, so that a view can be shared', async () => {
    const page = await open('/jobs/1');
    await page.getByLabel('Filter findings').fill('lsass');
    await page.waitForURL(/q=lsass/);
    const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search);
    await expect.poll(() => shared.getByLabel('Filter findings').inputValue()).toBe('lsass');
  });

  it.each([
    ['/', 1440, 'dark'],
    ['/', 768, 'light'],
    ['/jobs', 1440, 'light'],
    ['/jobs', 768, 'dark'],
    ['/jobs/1', 1440, 'light'],
    ['/jobs/1', 768, 'dark'],
    ['/docs', 768, 'light'],
    ['/login', 768, 'dark'],
    ['/no/such/page', 768, 'light'],
  ] as const)('%s at %i px (%s) never scrolls sideways', async (path, width, scheme) => {
    const page = await open(path, { width, height: 1024, scheme });
    await page.waitForLoadState('networkidle');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(errors()).toEqual([]);
  });
});
