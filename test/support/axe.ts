import type { AxeResults, RunOptions } from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Breaches that keep someone from using a page; axe calls the rest moderate or minor. */
const serious: ReadonlySet<string> = new Set(['serious', 'critical']);

/** The rules that look at colours: all that another theme of the same page can breach. */
export const rulesOfColours: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** No more than is asked for: these are the slowest of those that axe calls moderate, and sounds and videos are none here. */
const quick: RunOptions = {
  rules: { region: { enabled: false }, 'landmark-unique': { enabled: false } },
  preload: false,
};

/**
 * What axe finds serious in a page as it stands now, in the state and theme it is in: a line for each
 * element with the rule, what is wrong and where. Empty when there is nothing.
 * @param rules - the only ones to look at. @default all
 */
export async function seriousBreaches(page: Page, rules?: readonly string[]): Promise<string[]> {
  const breaches = await breachesNow(page, rules);
  // A toast may have come in meanwhile: what fades is there no more when it is looked at again.
  return breaches.length === 0 ? breaches : breachesNow(page, rules);
}

async function breachesNow(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated rather than added as a script, which the page's content security policy forbids.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  // What fades in or changes its colour is between two contrasts.
  await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((one) => one.finished));
  });
  const { violations } = await page.evaluate(
    (run) =>
      (globalThis as unknown as { axe: { run(what: Document, how: RunOptions): Promise<AxeResults> } }).axe.run(
        document,
        run,
      ),
    { resultTypes: ['violations'], ...(rules ? { runOnly: [...rules], preload: false } : quick) } satisfies RunOptions,
  );
  return violations
    .filter(({ impact }) => serious.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`,
      ),
    );
}
