import { chromium, type Browser, type Page } from 'playwright-core';
import type { Server } from './server.ts';

const quiet = '--disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const args = ['--no-sandbox', '--disable-gpu', ...quiet.split(' ')];

/** Headless Chromium, which asks nothing of any other machine by itself. */
export function launchChromium(...further: string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: [...args, ...further] });
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
