import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Server } from './server.ts';

const quiet = '--disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const args = ['--no-sandbox', '--disable-gpu', ...quiet.split(' ')];

/** The one that is told, by default Debian's; of that the shell beside it, where a page takes half the processor time. */
function path(): string {
  const told = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const shell = join(dirname(told), 'chromium-headless-shell');
  return basename(told) === 'chromium' && existsSync(shell) ? shell : told;
}

/** Headless Chromium, which asks nothing of any other machine by itself. */
export function launchChromium(...further: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: path(), args: [...args, ...further] });
}

let shared: Promise<Browser> | undefined;

/** The one of all files that this process takes, which ends with it: pages and contexts are closed by who opens them. */
export async function sharedChromium(): Promise<Browser> {
  const running = await shared?.catch(() => undefined);
  if (!running?.isConnected()) shared = launchChromium();
  return shared!;
}

/** The password of the administrator that the first start has made. */
export function adminPassword(server: Server): string {
  return /password\s+(\S+)/.exec(server.output())?.[1] ?? '';
}

/** Signs the page's session in as the administrator that the first start has made. */
export async function signInAsAdmin(page: Page, server: Server): Promise<void> {
  const form = { username: 'admin@localhost', password: adminPassword(server) };
  const answer = await page.request.post(`${server.url}/auth/cookie/login`, { form });
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`);
}
