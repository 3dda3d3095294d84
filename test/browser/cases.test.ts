import type { CaseDetails } from '@svc/contracts';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('a case', ({ openAsAdmin, errors, server }) => {
  it('is made of a batch, told, filled, shared, exported and deleted, by keyboard too', async () => {
    const page = await openAsAdmin('/');
    const headers = { origin: server().url, accept: 'application/json' };
    const post = (path: string, data: object) => page.request.post(server().url + path, { headers, data });
    for (const name of ['intrusion-sysmon', 'intrusion-powershell']) await post(`/api/ui/samples/${name}`, {});
    for (const id of [1, 2]) {
      const state = async () => {
        const answer = await page.request.get(`${server().url}/api/v1/jobs?ids=${id}`, { headers });
        return ((await answer.json()) as { jobs: { status: string }[] }).jobs[0]?.status;
      };
      await expect.poll(state, { timeout: 60_000 }).toBe('completed');
    }
    // The tool that makes accounts asks for a password that was given just now, as this one was.
    const eve = { email: 'eve@example.org', password: 'correct horse battery', role: 'member', display_name: 'Eve' };
    expect((await post('/admin/users', eve)).status()).toBe(201);
    await post('/batches', { job_ids: [1, 2] });

    await page.goto(`${server().url}/batches/1`);
    await page.getByRole('button', { name: 'Make it a case' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Intrusion at WS01');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('both from the first sweep');
    await dialog.getByRole('switch', { name: 'With what the jobs name' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText(/^2 added\. With \d+ entities of the jobs/).waitFor();
    await dialog.getByRole('link', { name: 'Open Intrusion at WS01' }).click();
    await page.getByRole('heading', { name: 'Intrusion at WS01', level: 1 }).waitFor();
    const id = Number(/cases\/(\d+)/.exec(page.url())![1]);
    const details = async () =>
      (await (await page.request.get(`${server().url}/intel/cases/${id}`, { headers })).json()) as CaseDetails;

    // The narrative of somebody who saved meanwhile is not written over.
    await page.getByRole('button', { name: 'Write the narrative' }).click();
    const narrative = page.getByRole('textbox', { name: 'Narrative' });
    await narrative.fill('## What we know\n\n**mimikatz** ran');
    await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'What we know' }).waitFor();
    await post(`/intel/cases/${id}/notes`, { body: 'Theirs', if_version: 0 });
    await narrative.press('Control+Enter');
    await page.getByText('Theirs is under “Earlier versions”').waitFor();
    expect((await details()).narrative).toBe('Theirs');
    const earlier = page.getByRole('button', { name: 'Earlier versions' });
    await earlier.waitFor();
    await page.getByRole('button', { name: 'I have read theirs, mine takes its place' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await narrative.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'What we know' }).waitFor();
    await earlier.click();
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.getByRole('dialog').getByText('Theirs').waitFor();
    await page.keyboard.press('Escape');

    await page.getByLabel('Status').selectOption('Monitoring');
    await expect.poll(async () => (await details()).status).toBe('monitoring');
    await page.getByRole('button', { name: 'Change this case' }).click();
    await page.getByRole('menuitem', { name: 'Who works on it…' }).click();
    await page.getByRole('button', { name: 'Name Eve on the case' }).click();
    await page.getByRole('button', { name: 'Take Eve off the case' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText(/^Owner .*, with Eve$/).waitFor();

    await page.getByRole('tab', { name: /^Entities/ }).focus();
    await page.keyboard.press('Enter');
    const rows = page.locator('tbody tr[data-id]');
    const before = (await details()).entity_count;
    await rows.first().getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Take out of the case' }).click();
    await expect.poll(async () => (await details()).entity_count).toBe(before - 1);

    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('[data-drawn]').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Key events').waitFor();
    await page.getByRole('tab', { name: 'Findings' }).click();
    await page
      .getByText(/\d+ findings/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: /^Jobs/ }).click();
    await page.getByText('both from the first sweep').first().waitFor();

    await page.getByRole('button', { name: 'Export' }).click();
    for (const name of ['STIX 2.1 bundle', 'MISP event', 'Graph as GraphML']) {
      const href = await page.getByRole('menuitem', { name }).getAttribute('href');
      const document = await page.request.get(server().url + href!);
      expect([name, document.status()]).toEqual([name, 200]);
      expect(await document.text()).toContain(name === 'Graph as GraphML' ? '<graphml' : 'Intrusion at WS01');
    }
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Change this case' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete case' }).click();
    await page.getByText('No case is open').waitFor();
    expect((await page.request.get(`${server().url}/jobs/1`, { headers })).status()).toBe(200);
    expect(errors()).toEqual([]);
  }, 240_000);

  it('shows its findings where they stay when the names of its logs and hosts come', async () => {
    const page = await openAsAdmin('/docs');
    const headers = { origin: server().url, accept: 'application/json' };
    const post = async (path: string, data: object) =>
      (await (await page.request.post(server().url + path, { headers, data })).json()) as Record<string, number>;
    const { job_id: job } = await post('/api/ui/samples/intrusion-sysmon', {});
    const state = async () => {
      const answer = await page.request.get(`${server().url}/api/v1/jobs?ids=${job}`, { headers });
      return ((await answer.json()) as { jobs: { status: string }[] }).jobs[0]?.status;
    };
    await expect.poll(state, { timeout: 60_000 }).toBe('completed');
    const { case_id: id } = await post('/intel/cases/quick-create', { name: 'Still', job_id: job });
    let tellNames = (): void => undefined;
    const told = new Promise<void>((resolve) => (tellNames = resolve));
    await page.route(`**/intel/cases/${id}/hosts`, async (route) => {
      await told;
      await route.continue();
    });
    await page.goto(`${server().url}/intel/cases/${id}?view=findings`);
    const place = async () => (await page.getByRole('table').boundingBox())!;
    await page.getByRole('table').waitFor();
    const before = await place();
    tellNames();
    await page.getByLabel('Log').getByText('intrusion-sysmon').waitFor({ state: 'attached' });
    expect(await place()).toEqual(before);
  });
});
