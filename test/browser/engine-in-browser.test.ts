import { analyze, packRules, type Analysis } from '@svc/engine';
import { fileSource } from '@svc/engine/node';
import { shippedRules } from '@svc/engine/testing/shipped-rules.ts';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { sharedChromium } from '../support/chromium.ts';
import { describeWith } from '../support/programs.ts';

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const worker = `
  import { analyze, unpackRules } from '@svc/engine';
  self.onmessage = async ({ data: { log, rules } }) => {
    const bytes = Uint8Array.from(atob(log), (char) => char.charCodeAt(0));
    const source = {
      size: bytes.length,
      async read(offset, into) {
        const part = bytes.subarray(offset, offset + into.length);
        into.set(part);
        return part.length;
      },
    };
    const set = unpackRules(Uint8Array.from(atob(rules), (char) => char.charCodeAt(0)));
    self.postMessage(await analyze(source, { rules: set, logType: 'auto', maxSamples: 10 }));
  };
`;

describeWith('browser', 'the engine in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterEach(() => page.close());

  it.each(['intrusion-sysmon.evtx', 'intrusion-security.evtx', 'intrusion-sysmon-opening.xml'])(
    'finds in a web worker what it finds in Node: %s',
    async (sample) => {
      const { outputFiles } = await build({
        stdin: { contents: worker, resolveDir: path('test'), loader: 'js' },
        bundle: true,
        write: false,
        format: 'iife',
        platform: 'browser',
        target: 'es2023',
      });
      const { rules } = await shippedRules();
      const source = await fileSource(path(`config/samples/${sample}`));
      const here = await analyze(source, { rules, logType: 'auto', maxSamples: 10 });
      await source.close();
      page = await browser.newPage();
      const there = await page.evaluate(
        ([script, log, packed]) =>
          new Promise<Analysis>((resolve, reject) => {
            const thread = new Worker(URL.createObjectURL(new Blob([script!], { type: 'text/javascript' })));
            thread.addEventListener('message', ({ data }: MessageEvent<Analysis>) => resolve(data));
            thread.addEventListener('error', ({ message }) => reject(new Error(message)));
            // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
            thread.postMessage({ log, rules: packed });
          }),
        [
          outputFiles[0]!.text,
          readFileSync(path(`config/samples/${sample}`)).toString('base64'),
          Buffer.from(packRules(rules)).toString('base64'),
        ],
      );
      expect(here.findings.length).toBeGreaterThan(0);
      expect(JSON.stringify(there)).toBe(JSON.stringify(here));
    },
  );
});
