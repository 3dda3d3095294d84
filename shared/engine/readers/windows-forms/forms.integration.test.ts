import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../../test/support/shared-data.ts';
import {
  namedForms,
  orderedForms,
  snareLines,
  sysmonMessages,
  writtenEvents,
  type WrittenEvent,
} from '../../../../test/support/windows-forms.ts';
import { analyze } from '../../index.ts';
import { sourceOf } from '../../testing/index.ts';
import { shippedRules } from '../../testing/shipped-rules.ts';

const { rules } = await shippedRules();
const largest = 3 * 1024 * 1024;

/** Matches by rule. */
async function found(log: Uint8Array | string): Promise<Readonly<Record<string, number>>> {
  const bytes = typeof log === 'string' ? new TextEncoder().encode(log) : log;
  const { findings } = await analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 0 });
  return Object.fromEntries(findings.map(({ ruleName, count }) => [ruleName, count]));
}

describeWithSharedData('findings in recorded attacks', () => {
  const attacks = mkdtempSync(join(tmpdir(), 'forms-'));
  execFileSync('tar', ['-xzf', sharedData('attack-logs.tar.gz'), '-C', attacks]);
  afterAll(() => rmSync(attacks, { recursive: true }));
  const paths = [sharedData('evtx'), attacks].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.evtx'))
      .map((name) => ({ name, path: join(folder, name) })),
  );
  /** Logs with events, and what is found in them as they are: the same for every form. */
  const logs: { name: string; events: readonly WrittenEvent[]; own: Readonly<Record<string, number>> }[] = [];
  beforeAll(async () => {
    for (const { name, path } of paths) {
      const log = readFileSync(path);
      const events = log.length <= largest ? await writtenEvents(log) : [];
      if (events.length > 0) logs.push({ name, events, own: await found(log) });
    }
  }, 600_000);

  it.each(Object.entries(namedForms))('are the same in %s', { timeout: 600_000 }, async (_, write) => {
    expect(logs.length).toBeGreaterThan(100);
    for (const { name, events, own } of logs)
      expect({ name, found: await found(write(events)) }).toEqual({ name, found: own });
  });

  it.each(Object.entries(orderedForms))(
    'are the same in %s, by the order of values',
    { timeout: 600_000 },
    async (_, write) => {
      const differing: string[] = [];
      let rulesFound = 0;
      for (const { name, events, own } of logs) {
        const told = await found(write(events));
        rulesFound += Object.keys(own).length;
        for (const rule of new Set([...Object.keys(own), ...Object.keys(told)])) {
          if (own[rule] !== told[rule]) differing.push(`${name}: ${rule}`);
        }
      }
      expect(rulesFound).toBeGreaterThan(600);
      expect(differing).toEqual([]);
    },
  );

  it('are the same in messages of Sysmon, and where their lines are joined', { timeout: 600_000 }, async () => {
    let logsOfSysmon = 0;
    for (const { name, events: all } of logs) {
      const events = all.filter(({ provider }) => provider === 'Microsoft-Windows-Sysmon');
      if (events.length === 0) continue;
      logsOfSysmon++;
      const own = await found(namedForms.evtxECmd(events));
      expect({ name, found: await found(sysmonMessages(events)) }).toEqual({ name, found: own });
      expect({ name, sent: await found(snareLines(events)) }).toEqual({ name, sent: own });
    }
    expect(logsOfSysmon).toBeGreaterThan(100);
  });
});
