import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the jobs list', ({ open, errors }) => {
  it.each([
    [1440, 'dark'],
    [1440, 'light'],
    [768, 'dark'],
    [768, 'light'],
  ] as const)('can be used by everyone at %i px (%s)', async (width, scheme) => {
    const page = await open('/jobs', { width, scheme });
    await page.getByText('No jobs yet').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });
});
