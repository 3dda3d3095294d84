import { call, operations, usualWorkflow } from '@svc/contracts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, type Server } from '../support/server.ts';

const names = ['evil.example', 'rebound.example', 'sub.localhost'];

describeWith('browser', 'pages of other sites', () => {
  let server: Server;
  let other: TcpServer;
  let rebinding: TcpServer;
  let browser: Browser;
  let log = '';
  let workflow = '';
  let otherPort = 0;
  /** What the rebound name leads to. */
  let leadsTo = 0;
  const portOf = async (listener: TcpServer): Promise<number> => {
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return (listener.address() as AddressInfo).port;
  };
  beforeAll(async () => {
    log = await readFile(join(projectRoot(), 'config/samples/intrusion-sysmon-opening.xml'), 'utf8');
    server = await startServer();
    const { workflows } = await call(operations.getHome, {}, { baseUrl: server.url });
    workflow = String(usualWorkflow(workflows, 'xml_evtx')?.id);
    const page = '<title>other</title>';
    other = createServer((_, response) =>
      response.setHeader('connection', 'close').setHeader('content-type', 'text/html').end(page),
    );
    otherPort = leadsTo = await portOf(other);
    rebinding = createTcpServer((from) => {
      const to = connect(leadsTo, '127.0.0.1');
      from.on('error', () => to.destroy());
      to.on('error', () => from.destroy());
      from.pipe(to).pipe(from);
    });
    browser = await launchChromium(`--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`);
  });
  afterAll(async () => {
    await browser?.close();
    other?.close();
    rebinding?.close();
    await server?.stop();
    await server?.remove();
  });

  const jobs = async (): Promise<readonly number[]> =>
    (await call(operations.listJobs, {}, { baseUrl: server.url })).jobs.map(({ job_id: id }) => id);
  /** Submits a log from a page as any site could, without cookie or special headers; returns the status of the answer. */
  async function upload(page: Page, to: string): Promise<number> {
    const answered = page.waitForResponse((response) => response.url() === to);
    await page.evaluate(
      async ([url, text, id]) => {
        const form = new FormData();
        form.append('file', new File([text], 'planted.xml'));
        form.append('workflow_id', id);
        await fetch(url, { method: 'POST', mode: 'no-cors', body: form });
      },
      [to, log, workflow] as const,
    );
    return (await answered).status();
  }
  /** The same by a form that takes the page along. */
  async function submit(page: Page, to: string): Promise<number> {
    const answered = page.waitForResponse((response) => response.url() === to);
    await page.evaluate(
      ([url, text, id]) => {
        const form = Object.assign(document.createElement('form'), {
          action: url,
          method: 'post',
          enctype: 'multipart/form-data',
        });
        const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
        const files = new DataTransfer();
        files.items.add(new File([text], 'planted.xml'));
        input.files = files.files;
        form.append(input, Object.assign(document.createElement('input'), { name: 'workflow_id', value: id }));
        document.body.append(form);
        form.submit();
      },
      [to, log, workflow] as const,
    );
    return (await answered).status();
  }

  it('submit what the service’s own page can', async () => {
    const before = await jobs();
    const page = await browser.newPage();
    await page.goto(`${server.url}/`);
    expect(await upload(page, `${server.url}/upload`)).toBeLessThan(300);
    expect(await jobs()).not.toEqual(before);
    await page.close();
  });

  it.each<[string, (port: number) => string]>([
    ['another site', (port) => `http://evil.example:${port}/`],
    ['another port of this machine', (port) => `http://127.0.0.1:${port}/`],
    ['another name of this machine', (port) => `http://sub.localhost:${port}/`],
  ])('submit nothing from %s', async (_, address) => {
    const before = await jobs();
    const page = await browser.newPage();
    await page.goto(address(otherPort));
    for (const path of ['/upload', '/detect-preview', '/auth/cookie/login'])
      expect([path, await upload(page, server.url + path)]).toEqual([path, 403]);
    expect(await submit(page, `${server.url}/upload`)).toBe(403);
    expect(await jobs()).toEqual(before);
    await page.close();
  });

  it('neither read nor submit under a name that was rebound to the service', async () => {
    const before = await jobs();
    const rebound = `http://rebound.example:${await portOf(rebinding)}`;
    const page = await browser.newPage();
    await page.goto(rebound);
    expect(await page.title()).toBe('other');
    leadsTo = Number(new URL(server.url).port);
    // To the browser all of this is one origin.
    const read = await page.evaluate(async () => {
      const headers = { accept: 'application/json', 'x-forwarded-host': 'localhost' };
      const answers = await Promise.all(['/jobs', '/api/v1/workflows'].map((path) => fetch(path, { headers })));
      return Promise.all(answers.map(async (answer) => [answer.status, await answer.text()] as const));
    });
    for (const [status, body] of read) {
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('ALLOWED_HOSTS') });
    }
    expect(await upload(page, `${rebound}/upload`)).toBe(403);
    expect((await page.goto(`${rebound}/`))?.status()).toBe(403);
    expect(await jobs()).toEqual(before);
    await page.close();
  });
});
