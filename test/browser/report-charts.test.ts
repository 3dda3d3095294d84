import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

const sample = readFileSync(new URL('../../config/samples/intrusion-sysmon.evtx', import.meta.url));

describeInBrowser('the charts of a report', ({ open, errors, server }) => {
  /** Submits the bytes and waits for the end of their analysis; returns the address of the report. */
  async function analyzed(name: string, bytes: Uint8Array): Promise<string> {
    const form = new FormData();
    form.append('workflow_id', '1');
    form.append('file', new File([new Uint8Array(bytes)], name));
    const answer = await fetch(`${server().url}/upload`, { method: 'POST', body: form });
    const { job_id: id } = (await answer.json()) as { job_id: number };
    const headers = { accept: 'application/json' };
    const status = async (): Promise<string> =>
      ((await (await fetch(`${server().url}/jobs/${id}`, { headers })).json()) as { status: string }).status;
    await expect.poll(status, { timeout: 60_000 }).toBe('completed');
    return `/jobs/${id}`;
  }

  it('narrow the findings to hours, by keys and by pointer', async () => {
    const page = await open(await analyzed('hours.evtx', sample));
    const hours = page.getByRole('region', { name: 'Matches by hour' });
    const findings = page.getByRole('region', { name: 'Findings' }).getByRole('status');
    const chart = hours.getByRole('slider');
    await chart.waitFor({ timeout: 30_000 });
    const all = await findings.innerText();
    await chart.press('ArrowRight');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/match/);
    await chart.press('Enter');
    await page.waitForURL(/from=\d+&to=\d+/);
    await expect.poll(() => hours.getByRole('status').innerText()).toMatch(/ of /);
    await page.reload();
    await hours.getByRole('button', { name: 'All hours' }).click();
    await expect.poll(() => findings.innerText()).toBe(all);
    await hours.getByText('As a table').click();
    await hours.getByRole('row').nth(1).getByRole('button').click();
    await page.waitForURL(/from=\d+/);
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it('leave the first finding on the first screen', async () => {
    const page = await open(await analyzed('first-screen.evtx', sample));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('region', { name: 'Matches by hour' }).getByRole('slider').waitFor({ timeout: 30_000 });
    const rows = page.getByRole('region', { name: 'Critical findings' }).getByRole('listitem');
    await expect.poll(async () => (await rows.first().boundingBox())?.y ?? Infinity).toBeLessThanOrEqual(320);
    const details = page.getByRole('button', { name: 'Details' });
    await details.press('Enter');
    const file = page.getByRole('region', { name: 'File' });
    await file.getByText('SHA-256').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await details.press('Enter');
    await file.waitFor({ state: 'detached' });
    expect(errors()).toEqual([]);
  });

  it('stand below sentences that lead to their evidence', async () => {
    const page = await open(await analyzed('happened.evtx', sample));
    const told = page.getByRole('region', { name: 'What happened' });
    const more = told.getByRole('button', { name: /^\d more$/ });
    await more.press('Enter', { timeout: 30_000 });
    expect(await told.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
    expect(await seriousBreaches(page)).toEqual([]);
    // Whatever narrows the findings gives way to what is led to.
    const [rule, time] = [told.getByRole('link', { name: /^“/ }).first(), told.getByRole('link', { name: /^\d{4}-/ })];
    await page.getByRole('searchbox', { name: 'Filter findings' }).fill('no such rule');
    await page.getByRole('heading', { name: 'No finding passes these filters' }).waitFor();
    const name = (await rule.innerText()).slice(1, -1);
    const clock = (await time.first().innerText()).slice(11);
    await rule.click();
    await page.getByRole('heading', { name }).waitFor();
    const first = page.getByRole('tabpanel').last().getByRole('button', { expanded: true }).first();
    await expect.poll(() => first.innerText()).toContain(clock);
    await expect.poll(() => first.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
    await told.getByRole('listitem').filter({ hasText: 'Processes: ' }).getByRole('link').first().press('Enter');
    await page.waitForURL(/view=processes&find=/);
    await page.getByRole('region', { name: 'Process tree' }).waitFor();
    expect(errors()).toEqual([]);
  });

  it('narrow findings and timeline to a host, and look a user up', async () => {
    const cleared = { Level: 4, SubjectUserName: 'alice', Provider_Name: 'Microsoft-Windows-Eventlog' };
    const log = [
      { ...cleared, EventID: 1102, Channel: 'Security', Computer: 'WS01', TimeCreated: '2026-08-01T10:00:00Z' },
      { ...cleared, EventID: 104, Channel: 'System', Computer: 'WS02', TimeCreated: '2026-08-01T10:05:00Z' },
    ];
    const bytes = new TextEncoder().encode(log.map((event) => JSON.stringify(event)).join('\n'));
    const page = await open(await analyzed('hosts.json', bytes));
    const where = page.getByRole('region', { name: 'Hosts and users' });
    const findings = page.getByRole('region', { name: 'Findings' }).getByRole('status');
    const host = where.getByRole('button', { name: /^WS02/ });
    await host.click({ timeout: 30_000 });
    await page.waitForURL(/host=WS02/);
    await expect.poll(() => findings.innerText()).toMatch(/^1 of 2 findings/);
    expect(await host.getAttribute('aria-pressed')).toBe('true');
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(/^1 match/).waitFor();
    await timeline.getByRole('button', { name: 'Remove filter WS02' }).click();
    await timeline.getByText(/^2 matches/).waitFor();
    await page.getByRole('tab', { name: 'Findings' }).click();
    await expect.poll(() => findings.innerText()).toBe('2 findings');
    await where.getByRole('button', { name: 'alice' }).click();
    await page.getByRole('dialog', { name: 'User alice' }).getByText('Find among the entities').click();
    await page.waitForURL(/view=entities&find=alice/);
    expect(errors()).toEqual([]);
  });

  it('count only what the filters let through', async () => {
    const cleared = { Level: 4, SubjectUserName: 'alice', Provider_Name: 'Microsoft-Windows-Eventlog' };
    const security = { ...cleared, EventID: 1102, Channel: 'Security' };
    const log = [
      { ...security, Computer: 'WS01', TimeCreated: '2026-08-01T10:00:00Z' },
      { ...cleared, EventID: 104, Channel: 'System', Computer: 'WS02', TimeCreated: '2026-08-01T11:05:00Z' },
      { ...security, Computer: 'WS01', TimeCreated: '2026-08-01T12:00:00Z' },
      { ...security, Computer: 'WS03', TimeCreated: '2026-08-01T12:30:00Z' },
    ];
    const bytes = new TextEncoder().encode(log.map((event) => JSON.stringify(event)).join('\n'));
    const page = await open(await analyzed('counts.json', bytes));
    const hosts = page.getByRole('group', { name: 'Hosts' });
    const hours = page.getByRole('region', { name: 'Matches by hour' });
    await expect.poll(() => hours.getByRole('status').innerText(), { timeout: 30_000 }).toMatch(/^4 matches/);
    await page.getByLabel('Filter findings').fill('security log');
    await expect.poll(() => hours.getByRole('status').innerText()).toBe('3 matches, UTC');
    await expect.poll(() => hosts.innerText()).not.toContain('WS02');
    await hosts.getByRole('button', { name: /^WS01/ }).click();
    await expect.poll(() => hours.getByRole('status').innerText()).toBe('2 matches, UTC');
    await hours.getByText('As a table').click();
    await hours.getByRole('row').nth(2).getByRole('button').click();
    await expect.poll(() => hours.getByRole('status').innerText()).toBe('1 of 2 matches, UTC');
    // The tactic and the group count the one event at noon on that host, the chosen finding stays whole.
    const tactics = page.getByRole('region', { name: 'ATT&CK tactics' });
    await expect
      .poll(() => tactics.getByRole('button', { disabled: false }).allInnerTexts())
      .toEqual([expect.stringMatching(/^Def\. evasion\s*1$/)]);
    await page.getByText('1 rule · 1 event', { exact: true }).waitFor();
    await page.getByText('3 events').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await page.getByLabel('Filter findings').fill('no such rule');
    await expect.poll(() => hours.getByRole('status').innerText()).toBe('0 of 0 matches, UTC');
    expect(errors()).toEqual([]);
  });

  it('have lanes of tactics or hosts, and lead from a marker to its event', async () => {
    const cleared = { Level: 4, SubjectUserName: 'alice', Provider_Name: 'Microsoft-Windows-Eventlog', EventID: 1102 };
    const log = ['10:00', '10:20', '10:40'].map((time, at) => ({
      ...cleared,
      Channel: 'Security',
      Computer: at === 2 ? 'WS02' : 'WS01',
      TimeCreated: `2026-08-01T${time}:00.250Z`,
    }));
    const bytes = new TextEncoder().encode(log.map((event) => JSON.stringify(event)).join('\n'));
    const page = await open(`${await analyzed('lanes.json', bytes)}?view=timeline`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Defense evasion').waitFor({ timeout: 30_000 });
    await timeline.getByRole('button', { name: 'Hosts' }).click();
    await page.waitForURL(/lanes=host/);
    await timeline.getByText('WS02').waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    // The extent has 1.5 % of room at either end; the marker of 10:20 stands in the middle of the first host's lane.
    const lanes = timeline.getByRole('img', { name: /^Timeline of 3 matches/ });
    const { width } = (await lanes.boundingBox())!;
    await lanes.click({ position: { x: width / 2, y: 16 } });
    await page.waitForURL(/at=\d+/);
    const events = page.getByRole('tabpanel').last();
    const first = events.getByRole('button', { expanded: true }).first();
    await expect.poll(() => first.innerText()).toMatch(/10:20:00.250/);
    await events.getByText('Not from 2026-08-01 10:20:00 UTC on:').waitFor();
    expect(errors()).toEqual([]);
  });

  it('are drawn anew in the colours of another theme', async () => {
    const page = await open(`${await analyzed('themes.evtx', sample)}?view=timeline`, { scheme: 'light' });
    const lanes = page.getByRole('img', { name: /^Timeline of/ });
    const drawn = () => lanes.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    await lanes.waitFor({ timeout: 30_000 });
    await page.waitForLoadState('networkidle');
    const light = await drawn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(drawn).not.toBe(light);
    const dark = await drawn();
    await page.reload();
    await lanes.waitFor();
    await expect.poll(drawn).toBe(dark);
    expect(errors()).toEqual([]);
  });

  it('lead from a technique to its findings, and save a layer', async () => {
    const page = await open(`${await analyzed('attack.evtx', sample)}?view=attack`, { scheme: 'light' });
    const matrix = page.getByRole('region', { name: 'ATT&CK matrix' });
    const download = page.waitForEvent('download');
    await matrix.getByRole('link', { name: 'Navigator layer' }).click();
    expect((await download).suggestedFilename()).toMatch(/^job_\d+_attack_layer\.json$/);
    const layer = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as { domain: string };
    expect(layer.domain).toBe('enterprise-attack');
    expect(await seriousBreaches(page)).toEqual([]);
    const tactic = matrix.getByRole('region', { name: 'Credential access' });
    await tactic
      .getByRole('button', { name: /^T1003(\.001)?\s?(OS Credential Dumping|LSASS Memory)/ })
      .first()
      .click();
    await page.waitForURL(/tactic=credential_access&technique=T1003/);
    await page.getByRole('button', { name: /Remove filter T1003/ }).waitFor();
    expect(errors()).toEqual([]);
  });

  it('find like files, and other jobs with a finding', async () => {
    const other = await analyzed('other.evtx', sample.subarray(0, sample.length - 4096));
    const page = await open(await analyzed('own.evtx', sample));
    await page.getByRole('button', { name: 'Seen in other jobs?' }).click();
    const alike = page.getByRole('region', { name: 'Similar files' });
    await alike.getByRole('link', { name: 'other.evtx' }).waitFor({ timeout: 30_000 });
    const where = page.getByRole('region', { name: 'Seen in other jobs' });
    await where.getByText('the chosen finding').waitFor();
    expect(await where.getByRole('link', { name: 'other.evtx' }).first().getAttribute('href')).toBe(other);
    expect(await seriousBreaches(page)).toEqual([]);
    expect(errors()).toEqual([]);
  });

  it('are on paper, too, whichever part is open', async () => {
    const page = await open(`${await analyzed('paper.evtx', sample)}?view=similar`);
    await page.getByRole('region', { name: 'Similar files' }).waitFor({ timeout: 30_000 });
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { name: 'Matches by hour, UTC' }).waitFor();
    for (const name of [/^Verdict: /, /^ATT&CK$/, /^Appendix$/, /^\d+ findings$/]) {
      await page.getByRole('heading', { name }).waitFor();
    }
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('tab', { name: 'Similar' }).waitFor();
    expect(errors()).toEqual([]);
  });
});
