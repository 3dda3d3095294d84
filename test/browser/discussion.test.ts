import { operations, type CommentThread, type SubmittedJob } from '@svc/contracts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const password = 'correct horse battery';
const root = 'root@example.org';
const env = {
  ADMIN_EMAIL: root,
  ADMIN_PASSWORD: password,
  COOKIE_INSECURE: 'true',
  COMMENT_RATE_LIMIT_PER_MINUTE: '0',
};

/** What must come out as the text that it is, or as nothing that runs, loads or leads to a program. */
const hostile = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<pre><img src=x onerror=window.hit=1 ',
  'a <pre><svg onload=window.hit=1 <b>',
  '<svg/onload=window.hit=1>',
  '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
  '<a href="javascript:window.hit=1">raw link</a>',
  '[link](javascript:window.hit=1)',
  '[link](JaVaScRiPt:window.hit=1)',
  '[link](java&#115;cript:window.hit=1)',
  '[link](  javascript:window.hit=1)',
  '[link](\u0001javascript:window.hit=1)',
  '[link](java\tscript:window.hit=1)',
  '[link](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[link](vbscript:window.hit=1)',
  '[link](file:///etc/passwd)',
  '<javascript:window.hit=1>',
  '[a]: javascript:window.hit=1\n\n[a]',
  '[quote](https://example.org/"onmouseover="window.hit=1)',
  '[title](https://example.org/ "x\\" onmouseover=\\"window.hit=1")',
  '![pixel](https://tracker.invalid/pixel.png)',
  '![" onerror="window.hit=1](https://tracker.invalid/x.png)',
  '![x](javascript:window.hit=1)',
  '`<img src=x onerror=window.hit=1>`',
  '```html"><img src=x onerror=window.hit=1>\n<script>window.hit=1</script>\n```',
  '# <img src=x onerror=window.hit=1>',
  '| <img src=x onerror=window.hit=1> | b |\n|---|---|\n| [x](javascript:window.hit=1) | <b>c</b> |',
  '- [x] <input autofocus onfocus=window.hit=1>',
  '<style>body { display: none }</style>',
  '<form action=//evil.invalid><button formaction=javascript:window.hit=1>x</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=window.hit=1>">',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>">',
  '<details open ontoggle=window.hit=1>x</details>',
  '<base href="https://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '&lt;img src=x onerror=window.hit=1&gt;',
  '<!--><img src=x onerror=window.hit=1>-->',
  '<![CDATA[<img src=x onerror=window.hit=1>]]>',
  '<div id="content" class="card" data-row style="position:fixed">x</div>',
];

describeInBrowser(
  'the discussion of a job',
  ({ open, errors, server }) => {
    /** Calls the service as whoever the page is signed in as. */
    const post = async <T>(page: Page, path: string, data: unknown = {}): Promise<T> => {
      const answer = await page.request.post(server().url + path, { data, headers: { origin: server().url } });
      expect([path, answer.ok() || (await answer.text())]).toEqual([path, true]);
      return (answer.headers()['content-type'] ?? '').includes('json') ? ((await answer.json()) as T) : (null as T);
    };
    const signedIn = async (name: string, view: Parameters<typeof open>[1] = {}): Promise<Page> => {
      const page = await open('/docs', view);
      const form = { username: name.includes('@') ? name : `${name}@example.org`, password };
      const headers = { origin: server().url };
      const answer = await page.request.post(`${server().url}/auth/cookie/login`, { form, headers });
      expect(answer.ok()).toBe(true);
      return page;
    };
    const go = (page: Page, path: string) => page.goto(server().url + path);
    const submitted = async (page: Page, sample = 'intrusion-powershell'): Promise<number> => {
      const path = operations.submitSample.path.replace('{name}', sample);
      const { job_id: job } = await post<SubmittedJob>(page, path);
      // When a job ends, its report moves everything below, also what is about to be clicked.
      const hasEnded = async () => {
        const answer = await page.request.get(`${server().url}/jobs/${job}/status`, {
          headers: { accept: 'application/json' },
        });
        return ((await answer.json()) as { terminal: boolean }).terminal;
      };
      await expect.poll(hasEnded).toBe(true);
      return job;
    };

    it('brings two people together', async () => {
      const admin = await signedIn(root);
      for (const name of ['ada', 'eve']) {
        await post(admin, '/admin/users', {
          email: `${name}@example.org`,
          password,
          role: 'member',
          display_name: name,
        });
      }
      const [ada, eve] = [await signedIn('ada'), await signedIn('eve')];
      const job = await submitted(ada);

      await go(ada, `/jobs/${job}`);
      await ada.getByRole('button', { name: 'Watch', exact: true }).waitFor();
      await ada.keyboard.press('w');
      await ada.getByRole('button', { name: 'Watching' }).waitFor();
      await ada.getByRole('button', { name: 'Notifications', exact: true }).waitFor();

      await go(eve, `/jobs/${job}`);
      await eve.getByRole('tab', { name: 'Discussion' }).click();
      await eve.getByText('Nobody has said anything about this job').waitFor();
      await eve.getByLabel('New comment').fill('Seen **this** host before:\n\n- `certutil` on WS-01');
      await eve.getByRole('button', { name: 'Preview' }).click();
      await eve.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'this' }).waitFor();
      await eve.getByRole('button', { name: 'Write on' }).click();
      await eve.getByLabel('New comment').press('Control+Enter');
      await eve.getByRole('list', { name: '1 comment' }).locator('code', { hasText: 'certutil' }).waitFor();
      await eve.getByRole('tab', { name: 'Discussion 1' }).waitFor();
      await eve.getByRole('button', { name: 'Watching' }).waitFor();
      await post(eve, `/jobs/${job}/tags`, { tag: 'needs triage' });

      await ada.reload();
      await ada.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
      await ada.keyboard.press('n');
      await ada.getByText('eve added needs triage').waitFor();
      expect(await seriousBreaches(ada)).toEqual([]);
      await ada.getByRole('link', { name: /eve: Seen/ }).click();
      await ada.waitForURL(/view=discussion&comment=\d+/);
      await ada.locator('li[id^="comment-"]').getByText('certutil').waitFor();
      await ada.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();

      await go(ada, '/jobs/watching');
      const row = ada.getByRole('row', { name: /intrusion-powershell/i });
      await row.getByText('1', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Mark read' }).click();
      await ada.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
      await row.getByRole('button', { name: 'Stop' }).click();
      await row.getByText('No longer watched').waitFor();
      await row.getByRole('button', { name: 'Undo' }).click();
      await row.getByRole('button', { name: 'Stop' }).waitFor();
      expect(await seriousBreaches(ada)).toEqual([]);

      for (const text of ['one', 'two']) await post(eve, `/comments/job/${job}`, { body: text });
      await ada.reload();
      await ada.getByRole('button', { name: 'Notifications, 2 unread' }).click();
      await ada.getByRole('button', { name: 'Acknowledge all' }).click();
      await ada.getByText('Nothing waits for you.').waitFor();
      await ada.getByRole('status').getByRole('button', { name: 'Undo' }).click();
      await ada.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
      await ada.getByRole('button', { name: 'Acknowledge', exact: true }).first().click();
      await ada.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();
      await ada.getByRole('button', { name: 'Acknowledge all' }).click();
      await ada.getByText('Nothing waits for you.').waitFor();
      await ada.reload();
      await ada.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
      expect(errors()).toEqual([]);
    });

    it('says who can read what is said', async () => {
      const eve = await signedIn('eve');
      const job = await submitted(eve);
      await go(eve, `/jobs/${job}?view=discussion`);
      await eve.getByText('This job is public: everyone with an account here can read this discussion').waitFor();
      const { workflows } = (await (await eve.request.get(`${server().url}/api/v1/workflows`)).json()) as {
        workflows: { id: number }[];
      };
      const file = { name: 'own.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}\n') };
      const sent = await eve.request.post(`${server().url}/api/v1/jobs`, {
        multipart: { workflow_id: workflows[0]!.id, is_private: 'true', file },
        headers: { origin: server().url },
      });
      const { job_url: url } = (await sent.json()) as SubmittedJob;
      await go(eve, `${url}?view=discussion`);
      await eve.getByText('only its submitter and administrators can read this discussion').waitFor();
      expect(await seriousBreaches(eve)).toEqual([]);
    });

    it('lets people change and delete what they wrote, and read what is old', async () => {
      const eve = await signedIn('eve');
      const job = await submitted(eve);
      let first = 0;
      for (let turn = 1; turn <= 102; turn += 1) {
        const { comments } = await post<CommentThread>(eve, `/comments/job/${job}`, { body: `remark ${turn}.` });
        first ||= comments[0]!.id;
      }
      await go(eve, `/jobs/${job}?view=discussion`);
      await eve.getByText('remark 102.').waitFor();
      expect(await eve.getByText('remark 2.', { exact: true }).count()).toBe(0);
      await eve.getByRole('button', { name: 'Show older comments, 2 more' }).click();
      await eve.getByText('remark 1.', { exact: true }).waitFor();

      await go(eve, `/jobs/${job}?view=discussion&comment=${first}`);
      const linked = eve.locator(`#comment-${first}`);
      await linked.getByText('remark 1.', { exact: true }).waitFor();
      await expect.poll(() => linked.evaluate((card) => card.getBoundingClientRect().top)).toBeLessThan(900);
      await linked.getByRole('button', { name: 'Edit' }).click();
      await eve.getByLabel('Your comment').fill('better remark');
      await linked.getByRole('button', { name: 'Save' }).click();
      await linked.getByText('better remark').waitFor();
      await linked.getByText('edited').waitFor();
      await linked.getByRole('button', { name: 'Delete' }).click();
      await linked.getByRole('button', { name: 'Delete it' }).click();
      await eve.getByRole('list', { name: '101 comments' }).waitFor();
      expect(await eve.locator(`#comment-${first}`).count()).toBe(0);
      expect(await seriousBreaches(eve)).toEqual([]);
    });

    it('shows hostile text as text', async () => {
      const eve = await signedIn('eve');
      const job = await submitted(eve, 'intrusion-security');
      for (const body of hostile) await post(eve, `/comments/job/${job}`, { body });
      await post(eve, `/comments/job/${job}`, { body: '[good](https://example.org/a?b=1&c=2) last' });
      const foreign: string[] = [];
      eve.on('request', (request) => {
        if (!request.url().startsWith(server().url)) foreign.push(request.url());
      });
      await go(eve, `/jobs/${job}?view=discussion`);
      const list = eve.getByRole('list', { name: `${hostile.length + 1} comments` });
      await list.locator('a', { hasText: 'good' }).waitFor();
      const found = await list.evaluate((element) => {
        const written = [...element.querySelectorAll('li > div:last-child *')];
        return {
          tags: [...new Set(written.map(({ tagName }) => tagName.toLowerCase()))],
          attributes: [...new Set(written.flatMap((each) => each.getAttributeNames()))].sort(),
          links: [...element.querySelectorAll<HTMLAnchorElement>('li > div:last-child a')].map(
            ({ href, rel, target }) => [new URL(href).protocol, rel, target, new URL(href).host],
          ),
          text: element.textContent,
          hit: 'hit' in window,
        };
      });
      const expectedTags = 'a br code em h4 h5 h6 li ol p pre strong table tbody td th thead tr ul'.split(' ');
      expect(found.tags.filter((tag) => !expectedTags.includes(tag))).toEqual([]);
      expect(found.attributes.filter((name) => !['href', 'rel', 'target'].includes(name))).toEqual([]);
      expect(found.links.length).toBeGreaterThan(2);
      const isSafe = ([protocol = '', rel]: string[]) => /^https?:$/.test(protocol) && rel === 'noopener nofollow';
      expect(found.links.filter((link) => !isSafe(link))).toEqual([]);
      expect(found.text).toContain('<script>window.hit = 1</script>');
      expect(found.text).toContain('<img src=x onerror="window.hit = 1">');
      for (const link of await list.locator('li > div:last-child a').all()) await link.hover();
      expect(await eve.evaluate(() => 'hit' in window)).toBe(false);
      expect([found.hit, foreign]).toEqual([false, []]);
      expect(await eve.locator('body').isVisible()).toBe(true);
      expect(errors()).toEqual([]);
    });

    it('shows a comment that no parser can bear as it was written, and all others', async () => {
      const eve = await signedIn('eve');
      const job = await submitted(eve, 'intrusion-security');
      const at = `/comments/job/${job}`;
      await post(eve, at, { body: '**before** them' });
      const endless = ['>', '1. ', '*a '].map((unit) => unit.repeat(4000).slice(0, 4000).trim());
      for (const body of endless) await post(eve, at, { body });
      await post(eve, at, { body: '**after** them' });
      await go(eve, `/jobs/${job}?view=discussion`);
      const list = eve.getByRole('list', { name: /\d+ comments/ });
      for (const word of ['before', 'after']) await list.locator('strong', { hasText: word }).last().waitFor();
      const texts = await list.locator('li').allTextContents();
      for (const body of endless) expect(texts.some((text) => text.includes(body))).toBe(true);
      const composer = eve.getByLabel('New comment');
      await composer.fill('>'.repeat(4000));
      await eve.getByRole('button', { name: 'Preview' }).click();
      await eve.getByRole('region', { name: 'Preview' }).getByText('>'.repeat(4000)).waitFor();
      await eve.getByRole('button', { name: 'Write on' }).click();
      await composer.fill('and **one** more');
      await composer.press('Control+Enter');
      await list.locator('strong', { hasText: 'one' }).waitFor();
      expect(errors()).toEqual([]);

      // Nor does a parser that never comes take anything along.
      const cut = await signedIn('eve');
      await cut.route(/\/assets\/.*\.js$/, async (route) => {
        const response = await route.fetch();
        await ((await response.text()).includes('list_item') ? route.abort() : route.fulfill({ response }));
      });
      await go(cut, `/jobs/${job}?view=discussion`);
      await cut.getByText('**after** them').last().waitFor();
      await cut.getByText('and **one** more').waitFor();
      await cut.getByLabel('New comment').fill('still here');
      expect(await cut.getByRole('button', { name: 'Comment', exact: true }).isEnabled()).toBe(true);
    });

    it('keeps to what it can show at any width and in any theme', async () => {
      for (const scheme of ['dark', 'light'] as const) {
        const page = await signedIn('eve', { width: 768, scheme });
        await go(page, '/jobs/watching');
        await page
          .getByRole('row', { name: /intrusion/i })
          .first()
          .waitFor();
        const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        expect(await isWider()).toBe(false);
        await page
          .getByRole('link', { name: /intrusion/i })
          .first()
          .click();
        await page.getByLabel('New comment').waitFor();
        expect([await isWider(), await seriousBreaches(page)]).toEqual([false, []]);
      }
    });
  },
  { env },
);
