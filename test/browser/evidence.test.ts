import { expect, it } from 'vitest';
import { seriousBreaches } from '../support/axe.ts';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the evidence of a finding', ({ open, errors }) => {
  it('can be paged, grouped and exported as a whole, and tells why the rule matched', async () => {
    const page = await open('/');
    await page.getByText('Intrusion on a workstation (Sysmon)').click();
    await page.waitForURL(/\/jobs\/\d+/, { timeout: 30_000 });
    const panel = page.getByRole('article');
    await panel.locator('mark').first().waitFor({ timeout: 60_000 });

    await panel.getByRole('tab', { name: 'Why' }).click();
    await page.waitForURL(/tab=why/);
    await panel.getByText('Condition').waitFor();
    await panel.getByText('The event has').first().waitFor();
    expect(await seriousBreaches(page)).toEqual([]);
    await panel.getByRole('tab', { name: 'Matched events' }).click();

    const { origin, pathname } = new URL(page.url());
    const answer = await page.request.get(`${origin}${pathname}/findings`, { headers: { accept: 'application/json' } });
    const { findings } = (await answer.json()) as { findings: { id: number; count: number }[] };
    const [most] = findings.toSorted((a, b) => b.count - a.count);
    await page.goto(`${origin}${pathname}?finding=${most!.id}`);
    await panel.getByRole('button', { name: 'Page and group all' }).click();
    await panel.getByText(new RegExp(`^1 to ${Math.min(50, most!.count)} of ${most!.count}$`)).waitFor();
    await panel.getByLabel('Group by').selectOption('Image');
    const rows = panel.getByRole('table').getByRole('row');
    await rows.nth(1).waitFor();
    const counts = await rows.locator('td:last-child').allInnerTexts();
    expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(most!.count);
    expect(await seriousBreaches(page)).toEqual([]);
    await rows.nth(1).getByRole('button').click();
    await panel.getByText(new RegExp(`^1 to ${Math.min(50, Number(counts[0]))}$`)).waitFor();
    // Why is told of the event that was unfolded last, whichever page has it; the way back leads to that page.
    const last = panel.locator('section > button[aria-expanded]').last();
    const record = /#\d+/.exec(await last.innerText())![0];
    await last.click();
    await panel.getByRole('tab', { name: 'Why' }).click();
    await panel.getByText(new RegExp(`^Event \\d+ of ${most!.count}$`)).waitFor();
    await panel.getByText(record, { exact: true }).waitFor();
    await panel.getByText('The event has').first().waitFor();
    await panel.getByRole('tab', { name: 'Matched events' }).click();
    await panel.locator('section > button[aria-expanded=true]', { hasText: record }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`finding_${most!.id}_matches.csv`);
    expect(errors()).toEqual([]);
  });
});
