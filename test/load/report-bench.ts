// The page of a job with very many findings: rules that each match as often, a log made for them, the built product
// and headless Chromium.   [--rules N] [--events N]
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { writeManyMatches, writeManyRules } from '../support/many-rules.ts';
import { startServer } from '../support/server.ts';

const { values } = parseArgs({
  options: { rules: { type: 'string', default: '10000' }, events: { type: 'string', default: '1000000' } },
});
const [rules, events] = [Number(values.rules), Number(values.events)];
const visits = 5;
const scrolls = 60;
/** `10 000 findings`, whatever separates the thousands. */
const allFindings = new RegExp(`^${String(rules).replace(/\B(?=(\d{3})+$)/g, String.raw`\D?`)} findings$`);

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const ms = (value: number): string => `${Math.round(value)} ms`;
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1]!;

/** Submits the log as the Submit page does; its job, when that has ended. */
async function analyzed(page: Page, path: string): Promise<string> {
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('button', { name: /^Submit/ }).click();
  const job = page.locator('a[href^="/jobs/"]').first();
  await job.waitFor({ timeout: 600_000 });
  // The page may be the report's by now, whose first link is to something of the job.
  const [address] = /^\/jobs\/\d+/.exec((await job.getAttribute('href'))!)!;
  for (;;) {
    const status = await page.evaluate(async (url) => {
      const answer = await fetch(`${url}/status`, { headers: { accept: 'application/json' } });
      return (await answer.json()) as { terminal: boolean; total_findings: number };
    }, address);
    if (status.terminal) {
      print(`  ${status.total_findings.toLocaleString('en')} matched events`);
      return address;
    }
    await sleep(250);
  }
}

/** What one visit costs until the first finding can be read, and until all are there. */
async function visit(page: Page, url: string): Promise<{ first: number; all: number }> {
  const from = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  const list = page.getByRole('region', { name: 'Findings', exact: true });
  await list
    .getByRole('button', { name: /^Word \d+/ })
    .first()
    .waitFor();
  const first = performance.now() - from;
  await list.getByText(allFindings).waitFor();
  return { first, all: performance.now() - from };
}

/** Time between frames while the list is scrolled to its end. */
async function scrolled(page: Page): Promise<number[]> {
  return page.evaluate(async (steps) => {
    const list = [...document.querySelectorAll('[aria-label="Findings"] div')].find(
      (element) => element.scrollHeight > element.clientHeight + 1000,
    )!;
    const gaps: number[] = [];
    let last = performance.now();
    for (let step = 0; step < steps; step++) {
      list.scrollTop += list.scrollHeight / steps;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      gaps.push(now - last);
      last = now;
    }
    return gaps;
  }, scrolls);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-report-'));
const [pack, log] = [join(folder, 'pack'), join(folder, 'log.json')];
try {
  await writeManyRules(pack, rules);
  await writeManyMatches(log, rules, events);
  const env = { RULE_PACKS: `bench=${pack}`, SECRET_KEY: 'a-key-of-this-benchmark-and-no-other', LOG_LEVEL: 'ERROR' };
  const server = await startServer({ env });
  const browser = await launchChromium();
  try {
    print(`${rules} rules, ${events} events, ${(statSync(log).size / 1e6).toFixed(0)} MB`);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    const from = performance.now();
    const address = await analyzed(page, log);
    print(`  dropped to done   ${((performance.now() - from) / 1000).toFixed(1)} s`);
    const [first, all]: [number[], number[]] = [[], []];
    for (let count = 0; count < visits; count++) {
      const fresh = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const tab = await fresh.newPage();
      const took = await visit(tab, server.url + address);
      first.push(took.first);
      all.push(took.all);
      if (count === visits - 1) {
        const gaps = await scrolled(tab);
        const late = gaps.filter((gap) => gap > 34).length;
        print(
          `  scrolling         ${ms(median(gaps))} a frame, at most ${ms(Math.max(...gaps))}; ${late} of ${gaps.length} took more than two frames of 60 a second`,
        );
      }
      await fresh.close();
    }
    print(
      `  navigation        first finding after ${ms(median(first))}, all ${rules} after ${ms(median(all))} (medians of ${visits})`,
    );
  } finally {
    await browser.close();
    await server.stop('SIGKILL');
    await server.remove();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
