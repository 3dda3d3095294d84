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

/** When what of the findings was drawn, in milliseconds since the page was asked for. */
interface Seen {
  first?: number;
  all?: number;
}

/** Runs in the page, before its scripts: whoever asks from outside, as locators do, asks twice a second at last. */
function watch(count: string): void {
  const seen: Seen = {};
  Object.assign(globalThis, { seen });
  const look = (): void => {
    const list = document.querySelector('section[aria-label="Findings"]');
    const buttons = [...(list?.querySelectorAll('button') ?? [])];
    if (buttons.some((button) => /^Word \d/.test(button.textContent) && button.checkVisibility())) {
      seen.first ??= performance.now();
    }
    const said = list?.querySelector('[role=status]')?.textContent ?? '';
    if (said.replaceAll(/\D/g, '') === count) seen.all = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** What one visit costs until the first finding can be read, and until all are there. */
async function visit(page: Page, url: string): Promise<Required<Seen>> {
  await page.addInitScript(watch, String(rules));
  await page.goto(url, { waitUntil: 'commit' });
  const seen = await page.waitForFunction(() => {
    const { seen: so } = globalThis as unknown as { readonly seen: Seen };
    return so.first !== undefined && so.all !== undefined && (so as Required<Seen>);
  });
  return (await seen.jsonValue()) as Required<Seen>;
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

const filters = ['severity', 'words', 'tactic', 'host'] as const;
type Filter = (typeof filters)[number];

/** Runs in the page: narrows the report once; until what is left is drawn, and taken back before it returns. */
async function timed(filter: Filter): Promise<number> {
  const list = document.querySelector('section[aria-label="Findings"]')!;
  const shown = (): string => list.querySelector('[role=status]')!.textContent;
  const changed = async (act: () => void): Promise<number> => {
    const before = shown();
    const from = performance.now();
    act();
    // The frame that has it is drawn when the next one begins.
    for (let isThere = false; !isThere;) {
      isThere = shown() !== before;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - from;
  };
  const took = await changed(() => {
    const parts = { severity: 'Severities', tactic: 'ATT&CK tactics', host: 'Hosts', words: null };
    const part = parts[filter];
    if (part !== null) {
      document.querySelector<HTMLElement>(`[aria-label="${part}"] button:not(:disabled)`)!.click();
      return;
    }
    const field = list.querySelector<HTMLInputElement>('[aria-label="Filter findings"]')!;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'word 77');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const clear = [...list.querySelectorAll('button')].find(({ textContent }) => textContent === 'Clear')!;
  await changed(() => clear.click());
  return took;
}

async function filtered(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  /** Milliseconds of processor time that the page's thread has taken. */
  const taken = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  // Hosts are told from all alerts, which come with the first filter that needs them.
  print(`  first host        ${ms(await page.evaluate<number, Filter>(timed, 'host'))} with all alerts fetched`);
  for (const filter of filters) {
    const times: number[] = [];
    const before = await taken();
    for (let count = 0; count < visits; count++) times.push(await page.evaluate<number, Filter>(timed, filter));
    const each = ((await taken()) - before) / visits / 2;
    print(
      `  filter ${filter.padEnd(10)} ${ms(median(times))}, at most ${ms(Math.max(...times))}; ${ms(each)} of processor time`,
    );
  }
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
        await filtered(tab);
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
