import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sharedChromium, signInAsAdmin } from './chromium.ts';
import { describeWith } from './programs.ts';
import { startServer, type Server } from './server.ts';

interface View {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'dark' | 'light';
}

export interface BrowserSuite {
  /** The built product, for this suite alone. */
  readonly server: () => Server;
  /** A page of a fresh session at 1440×900, until the test ends that opens it. */
  readonly open: (path: string, options?: View) => Promise<Page>;
  /** The same, signed in as the administrator that the first start has made. */
  readonly openAsAdmin: (path: string, options?: View) => Promise<Page>;
  /** Uncaught errors of all pages so far. */
  readonly errors: () => readonly string[];
}

/** A suite against the built product in headless Chromium; skipped with one line where there is none. */
export function describeInBrowser(
  name: string,
  suite: (context: BrowserSuite) => void,
  { env = {} }: { readonly env?: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>) } = {},
): void {
  describeWith('browser', name, () => {
    let server: Server;
    let browser: Browser;
    const errors: string[] = [];
    const pages: Page[] = [];
    beforeAll(async () => {
      // Each test signs in anew, more often in a minute than people do.
      const quick = { LOGIN_RATE_LIMIT_PER_MINUTE: '0' };
      server = await startServer({ env: { ...quick, ...(typeof env === 'function' ? await env() : env) } });
      browser = await sharedChromium();
    });
    // Open pages go on asking the server and drawing.
    afterEach(async () => {
      await Promise.all(pages.splice(0).map((page) => page.close()));
    });
    afterAll(async () => {
      await server?.stop();
      await server?.remove();
    });
    async function newPage({ width = 1440, height = 900, scheme = 'dark' }: View = {}): Promise<Page> {
      // What moves is drawn sixty times a second, for nobody.
      const still = { reducedMotion: 'reduce' } as const;
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, ...still });
      pages.push(page);
      page.on('pageerror', (error) => errors.push(String(error)));
      return page;
    }
    suite({
      server: () => server,
      errors: () => errors,
      async open(path, view) {
        const page = await newPage(view);
        await page.goto(server.url + path);
        return page;
      },
      async openAsAdmin(path, view) {
        const page = await newPage(view);
        await signInAsAdmin(page, server);
        await page.goto(server.url + path);
        return page;
      },
    });
  });
}
