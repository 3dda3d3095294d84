import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

const line = `${JSON.stringify({ EventID: 4688, Channel: 'Security', Computer: 'ws1', NewProcessName: 'C:\\a.exe' })}\n`;
const large = line.repeat(60_000);

/** Chooses a file as a person does, with this text in it, and submits it. */
async function submit(page: Page, name: string, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await page.getByLabel(`Type of ${name}`).filter({ hasText: /JSON/ }).waitFor();
  await page.getByRole('button', { name: /^Submit/ }).click();
}

/** The steps that a page takes, as they are asked for. */
function stepsOf(page: Page): string[] {
  const steps: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const type = request.headers()['content-type']?.split(';')[0] ?? '';
    if (pathname.startsWith('/upload')) steps.push(`${request.method()} ${pathname} ${type}`);
    if (pathname.startsWith('/api/uploads/')) steps.push(`${request.method()} bytes ${type}`);
  });
  return steps;
}

const reserve = 'POST /uploads application/json';
const send = 'PUT bytes application/octet-stream';
const name = 'POST /upload application/json';

describeInBrowser('a large file', ({ open, errors, server }) => {
  it('is reserved, sent and submitted, and its report opens', async () => {
    const page = await open('/');
    const steps = stepsOf(page);
    await submit(page, 'large.json', large);
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
    expect(steps).toEqual([reserve, send, name]);
    const response = await fetch(page.url(), { headers: { accept: 'application/json' } });
    const { file } = (await response.json()) as { file: { sha256: string; size_bytes: number } };
    expect(file).toMatchObject({
      size_bytes: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
    });
    expect(errors()).toEqual([]);
  });

  it('survives lost connections without a second reservation or a second job', async () => {
    const page = await open('/');
    const steps = stepsOf(page);
    let sendings = 0;
    await page.route('**/api/uploads/*', (route) => {
      sendings += 1;
      return sendings === 1 ? route.abort('connectionreset') : route.continue();
    });
    let submissions = 0;
    await page.route('**/upload', async (route) => {
      submissions += 1;
      if (submissions > 1) return route.continue();
      // The service hears it, but its answer is lost.
      await route.fetch();
      return route.abort('connectionreset');
    });
    await submit(page, 'again.json', `${large}${line}`);
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
    expect(steps).toEqual([reserve, send, send, name, name]);
    const { jobs } = (await (
      await fetch(`${server().url}/jobs`, { headers: { accept: 'application/json' } })
    ).json()) as {
      jobs: object[];
    };
    expect(jobs).toHaveLength(2);
    expect(errors()).toEqual([]);
  });

  it('is hashed in parts where the platform does not hash', async () => {
    const page = await open('/');
    let isPatched = false;
    await page.route('**/hash-worker*.js', async (route) => {
      const script = await (await route.fetch()).text();
      isPatched = true;
      await route.fulfill({
        contentType: 'text/javascript',
        body: `Object.defineProperty(self, 'isSecureContext', { value: false });${script}`,
      });
    });
    await submit(page, 'parts.json', `${large}${line.repeat(2)}`);
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
    expect(isPatched).toBe(true);
    expect(errors()).toEqual([]);
  });

  it('is no trouble when it is small: one form', async () => {
    const page = await open('/');
    const steps = stepsOf(page);
    await submit(page, 'small.json', line.repeat(10));
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 60_000 });
    expect(steps).toEqual(['POST /upload multipart/form-data']);
  });
});
