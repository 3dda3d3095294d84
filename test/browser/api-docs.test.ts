import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, type BrowserSuite } from '../support/browser.ts';

const operations = ['Submit one file as an account', 'Findings of a job, worst first, 1,000 a page'];

/** Opens a page, and collects what its console complains of and which hosts it asks for anything. */
async function openWatched({ open, server }: BrowserSuite, path: string): Promise<{ page: Page; trouble: string[] }> {
  const page = await open(path);
  const trouble: string[] = [];
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(server().url) && !request.url().startsWith('data:')) trouble.push(request.url());
  });
  await page.reload({ waitUntil: 'networkidle' });
  return { page, trouble };
}

describeInBrowser(
  'the pages about the API',
  (suite) => {
    it.each(['/api/docs', '/api/redoc'])('%s shows every area, by itself and within the policy', async (path) => {
      const { page, trouble } = await openWatched(suite, path);
      // Swagger UI draws what is in sight.
      await page.setViewportSize({ width: 1280, height: 12_000 });
      for (const text of operations) await page.getByText(text).first().waitFor({ state: 'attached' });
      expect(trouble).toEqual([]);
      expect(suite.errors()).toEqual([]);
      const policy = (await fetch(suite.server().url + path)).headers.get('content-security-policy');
      expect(policy).toContain("script-src 'self';");
    });

    it('sends a request of its own from Swagger UI', async () => {
      const { page } = await openWatched(suite, '/api/docs#/submissions/listWorkflows');
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute' }).click();
      await page.getByText('"is_default": true').first().waitFor();
    });
  },
  { env: { DEBUG: 'true' } },
);

describeInBrowser('a service in use', (suite) => {
  it.each(['/api/docs', '/api/redoc', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json'])(
    'has nothing at %s',
    async (path) => {
      const answer = await fetch(suite.server().url + path, { headers: { accept: 'text/html' } });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    },
  );
});
