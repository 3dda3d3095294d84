// Six questions of somebody who responds to an incident, asked of forty logs in headless Chromium: clicks and seconds to
// each answer.   [--files N] [--url ADDRESS of a product that runs, which may be of an earlier version]
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { startServer, type Server } from '../support/server.ts';
import { evtxLogs } from './bench-data.ts';

const { values } = parseArgs({ options: { files: { type: 'string', default: '40' }, url: { type: 'string' } } });
const patience = 900_000;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const logs = evtxLogs().slice(0, Number(values.files));

/** A person at the page, whose clicks are counted. */
class Walk {
  readonly page: Page;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.clicks++;
  }
}

/** Answers a question and returns the answer in a few words; null where the product has no way to it. */
type Way = (walk: Walk) => Promise<string | null>;

const textOf = async (target: Locator): Promise<string> => (await target.first().innerText()).replaceAll(/\s+/g, ' ');
const region = (page: Page, name: RegExp): Locator => page.getByRole('region', { name });
const findings = (page: Page): Locator => page.getByRole('region', { name: 'Findings', exact: true });
/** Whether this comes on the page, after what is loading has come. */
async function comes(target: Locator): Promise<boolean> {
  return target
    .first()
    .waitFor({ timeout: 15_000 })
    .then(() => true)
    .catch(() => false);
}

/** In the order of a walk: each begins where the one before ended. */
const questions: readonly (readonly [question: string, way: Way])[] = [
  ['worst host', worstHost],
  ['first foothold', firstFoothold],
  ['which accounts', accounts],
  ['where else does this hash occur', hashElsewhere],
  ['what do I tell my manager', handOver],
  ['what is new since yesterday', newSince],
];

async function worstHost(walk: Walk): Promise<string | null> {
  const { page } = walk;
  const verdict = page.getByRole('link', { name: /^Verdict of/ });
  if (await comes(verdict)) {
    await walk.click(verdict);
    const hosts = region(page, /^Hosts/);
    await page.getByText(/ files? analysed$/).waitFor({ state: 'detached', timeout: patience });
    return textOf(hosts.locator('tbody tr').first());
  }
  return worstOfReports(walk);
}

/** Without a page of all of them: every report is opened, and what it says of hosts is read. */
async function worstOfReports(walk: Walk): Promise<string | null> {
  const { page } = walk;
  const addresses = new Set<string>();
  for (const link of await page.getByRole('main').locator('a[href^="/jobs/"]').all())
    addresses.add((await link.getAttribute('href'))!);
  const told: string[] = [];
  for (const address of addresses) {
    await walk.click(page.getByRole('main').locator(`a[href="${address}"]`).first());
    await page.waitForURL((url) => url.pathname.startsWith('/jobs/'));
    const hosts = page.getByRole('group', { name: /^(Hosts|Computers)/ });
    if (await comes(hosts)) told.push(await textOf(hosts));
    await page.goBack();
    walk.clicks++;
    await page.getByRole('main').locator('a[href^="/jobs/"]').first().waitFor();
  }
  return `${told.length} reports name hosts, to be compared by hand`;
}

async function firstFoothold(walk: Walk): Promise<string | null> {
  const { page } = walk;
  const worst = region(page, /^Files/)
    .locator('tbody tr')
    .first()
    .locator('a[href^="/jobs/"]');
  if (await worst.first().isVisible()) await walk.click(worst.first());
  else await walk.click(page.locator('a[href^="/jobs/"]').first());
  await findings(page).waitFor({ timeout: patience });
  const told = region(page, /^What happened$/);
  if (await comes(told)) return textOf(told.locator('p'));
  // The earliest finding is what an earlier version has.
  await page.getByLabel('Order within a group').selectOption('time');
  walk.clicks++;
  return textOf(findings(page).getByRole('button', { name: /\d/ }));
}

async function accounts({ page }: Walk): Promise<string | null> {
  const users = page.getByRole('group', { name: 'Users' });
  return (await comes(users)) ? textOf(users) : null;
}

async function hashElsewhere(walk: Walk): Promise<string | null> {
  const { page } = walk;
  const article = page.getByRole('article');
  const door = article.getByRole('button', { name: /^Follow (Hashes|MD5|SHA\d+)$/i }).first();
  const more = article.getByRole('button', { name: /^Show \d+ more fields$/ }).first();
  // Hashes stand in the events of processes, seldom among the fields that the rule looked at.
  for (let looked = 0; looked < 10; looked++) {
    await article.locator('dl').first().waitFor({ timeout: patience });
    if (await more.isVisible()) await walk.click(more);
    if (await door.isVisible()) break;
    const title = await textOf(article.getByRole('heading'));
    await page.keyboard.press('j');
    walk.clicks++;
    await page.waitForFunction((before) => !document.querySelector('article h2')?.textContent.includes(before), title);
  }
  if (!(await door.isVisible())) return null;
  await walk.click(door);
  const jobs = page.getByRole('dialog').getByRole('region', { name: 'Other jobs' });
  await jobs.locator('a, p').first().waitFor();
  const told = await textOf(jobs);
  await page.keyboard.press('Escape');
  return told;
}

async function handOver(walk: Walk): Promise<string | null> {
  const { page } = walk;
  const save = page.getByRole('button', { name: 'Save', exact: true });
  if (!(await comes(save))) return null;
  await walk.click(save);
  const download = page.waitForEvent('download', { timeout: patience });
  await walk.click(page.getByRole('menuitem', { name: 'Report as HTML' }));
  return (await download).suggestedFilename();
}

async function newSince(walk: Walk): Promise<string | null> {
  const { page } = walk;
  await walk.click(page.getByRole('button', { name: 'More actions' }));
  const compare = page.getByRole('menuitem', { name: 'Compare with another job' });
  if (!(await comes(compare))) return null;
  await walk.click(compare);
  // The same sensor’s log of another day, as far as these logs have one.
  await walk.click(
    page
      .getByRole('main')
      .getByRole('link', { name: /^sysmon-/ })
      .first(),
  );
  const only = page.getByText(/^Only in B \d+$/);
  await only.waitFor({ timeout: patience });
  await walk.click(only);
  return textOf(page.getByRole('row').nth(1));
}

/** Puts all logs into the product, and waits until they have been analysed: before that there is nothing to ask. */
async function submit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('input[type=file]').first().setInputFiles(logs);
  await page.getByRole('button', { name: new RegExp(`^Submit ${logs.length} files$`) }).click();
  await page.getByText(`${logs.length} submitted`).waitFor({ timeout: patience });
  await page.waitForFunction(
    () => !/Queued|Analysing|Sending|Hashing/.test(document.querySelector('main')!.textContent),
    undefined,
    { timeout: patience },
  );
}

async function walkThrough(url: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    let from = performance.now();
    await submit(page, url);
    print(
      `${logs.length} logs, ${((performance.now() - from) / 1000).toFixed(1)} s from the drop until all are analysed`,
    );
    const person = new Walk(page);
    for (const [question, way] of questions) {
      person.clicks = 0;
      from = performance.now();
      const answer = await way(person);
      const took = `${String(person.clicks).padStart(3)} clicks, ${((performance.now() - from) / 1000).toFixed(1)} s`;
      print(`  ${question.padEnd(32)}${answer === null ? 'no way to an answer' : `${took}: ${answer.slice(0, 100)}`}`);
    }
  } finally {
    await browser.close();
  }
}

if (values.url !== undefined) await walkThrough(values.url);
else {
  const env = { LOG_LEVEL: 'ERROR', UPLOAD_RATE_LIMIT_PER_MINUTE: '0', API_RATE_LIMIT_PER_MINUTE: '0' };
  const server: Server = await startServer({ env });
  try {
    await walkThrough(server.url);
  } finally {
    await server.stop('SIGKILL');
    await server.remove();
  }
}
