import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pictures } from '../../frontend/src/features/system/guide/pictures.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the guide', ({ open, errors }) => {
  const picture = (page: Page) => page.getByRole('img', { name: pictures.submit.alt });
  const loaded = (page: Page): Promise<number> =>
    picture(page).evaluate((image) => (image as HTMLImageElement).naturalWidth);

  it('shows pictures of the theme in use, and keeps their place while they load', async () => {
    const page = await open('/docs');
    const pending: (() => void)[] = [];
    let isHeld = true;
    await page.route('**/*.webp', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => pending.push(resolve));
      await route.continue();
    });
    await page.reload({ waitUntil: 'domcontentloaded' });
    await picture(page).waitFor();
    const before = await picture(page).boundingBox();
    isHeld = false;
    for (const go of pending) go();
    await expect.poll(() => loaded(page)).toBeGreaterThan(0);
    expect(await picture(page).boundingBox()).toEqual(before);

    expect(await picture(page).getAttribute('src')).toMatch(/submit-dark/);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => picture(page).getAttribute('src')).toMatch(/submit-light/);
    await expect.poll(() => loaded(page)).toBeGreaterThan(0);
    expect(errors()).toEqual([]);
  });

  it('loads the pictures of chapters far below when they come into sight', async () => {
    const page = await open('/docs');
    await expect.poll(() => loaded(page)).toBeGreaterThan(0);
    const last = page.getByRole('img', { name: pictures.ruleEditor.alt });
    const width = () => last.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(await width()).toBe(0);
    await last.scrollIntoViewIfNeeded();
    await expect.poll(width).toBeGreaterThan(0);
    expect(errors()).toEqual([]);
  });

  it('is one click away from where files are dropped, at the chapter about it', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'How submitting works' }).click();
    await page.waitForURL(/\/docs#submitting$/);
    await page.getByRole('heading', { name: 'Submitting a log' }).waitFor();
    expect(errors()).toEqual([]);
  });
});
