import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import type { Page } from 'playwright-core';
import type { PictureName } from '../../frontend/src/features/system/guide/pictures.ts';

/** Brings the page to what a picture shows. */
type Scene = (page: Page, url: string) => Promise<void>;

const samples = join(projectRoot(), 'config/samples');
const minute = 60_000;

const rule = `title: Office Program Starts PowerShell
status: experimental
description: A document whose macro runs a script; people rarely do this.
author: Example
date: 2026-11-01
tags:
    - attack.execution
    - attack.t1059.001
logsource:
    product: windows
    category: process_creation
detection:
    selection:
        ParentImage|endswith:
            - '\\WINWORD.EXE'
            - '\\EXCEL.EXE'
        Image|endswith: '\\powershell.exe'
    condition: selection
level: high
`;

async function writeRule(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/admin/rule-packs/custom/edit`);
  await page.getByText(/^Compiles/).waitFor();
  await page.getByLabel('Source of the rule').fill(rule);
  await page.getByText('Compiles: High').waitFor();
}

async function openReport(page: Page, url: string, view: string): Promise<void> {
  await page.goto(`${url}/jobs?q=intrusion-sysmon.evtx`);
  await page.getByRole('link', { name: 'intrusion-sysmon.evtx' }).first().click();
  await page.waitForURL(/\/jobs\/\d+/);
  await page.goto(page.url() + view);
  await page.getByText('matched events').first().waitFor();
  // Nothing is on its way any more, whether it says so or only has its room.
  await page.waitForFunction(() => !document.querySelector('main [aria-busy=true], main [class*=skeleton]'));
}

/** What each picture shows, in the order of their taking: the first submits the logs that the others are about. */
export const scenes: Readonly<Record<PictureName, Scene>> = {
  async submit(page, url) {
    await page.goto(url);
    const files = readdirSync(samples).filter((name) => /\.(evtx|xml)$/.test(name));
    await page.getByLabel('Log files to submit').setInputFiles(files.map((name) => join(samples, name)));
    await page.getByRole('button', { name: `Submit ${files.length} files` }).click();
    await page.getByText(`${files.length} submitted`).waitFor({ timeout: minute });
    // Each tells its worst finding and how many others there are.
    await page
      .getByText(/^\+\d+$/)
      .nth(files.length - 1)
      .waitFor({ timeout: minute });
  },
  async jobs(page, url) {
    await page.goto(`${url}/jobs?q=sev:critical%20type:evtx`);
    await page.getByText('intrusion-sysmon.evtx').first().waitFor();
  },
  async findings(page, url) {
    await openReport(page, url, '');
    await page
      .getByRole('region', { name: 'Findings' })
      .getByText(/^\d+ findings$/)
      .waitFor();
    await page
      .getByLabel(/^Matches by hour/)
      .locator('svg rect')
      .first()
      .waitFor();
  },
  async timeline(page, url) {
    await openReport(page, url, '?view=timeline');
    await page.getByRole('region', { name: 'Timeline' }).getByText(/match/).first().waitFor();
  },
  async attack(page, url) {
    await openReport(page, url, '?view=attack');
  },
  async processes(page, url) {
    await openReport(page, url, '?view=processes');
  },
  async rulePacks(page, url) {
    await writeRule(page, url);
    await page.getByRole('button', { name: 'Save as a rule of your own' }).click();
    await page.getByRole('region', { name: 'Office Program Starts PowerShell' }).waitFor();
    await page.goto(`${url}/admin/rule-packs`);
    await page.getByRole('region', { name: 'custom' }).waitFor();
  },
  async ruleEditor(page, url) {
    await writeRule(page, url);
    const test = page.getByRole('region', { name: 'Test' });
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByRole('cell').first().waitFor({ timeout: minute });
  },
};
