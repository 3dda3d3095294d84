import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../test/support/shared-data.ts';
import type { Report } from './report.ts';
import { svc } from './testing/svc.ts';

const rules = ['--rules', sharedData('sigma-rules', 'rules', 'windows')];
const logs = sharedData('evtx', '[ps]*.evtx');

describeWithSharedData('svc analyze on real logs', () => {
  it('says the same in every format, with any number of threads', async () => {
    const run = async (...more: string[]): Promise<string> => (await svc('analyze', logs, ...rules, ...more)).out;
    const one = await run('--format', 'jsonl', '--threads', '1', '--max-events', '0');
    const two = await run('--format', 'jsonl', '--threads', '2', '--max-events', '0');
    const plain = (text: string): string => text.replaceAll(/"duration_ms":\d+/g, '');
    expect(plain(two) === plain(one)).toBe(true);
    const findings = one
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as Report).findings);
    const matches = findings.reduce((sum, { count }) => sum + count, 0);
    expect(findings.length).toBeGreaterThan(100);
    expect(findings.reduce((sum, { events }) => sum + events.length, 0)).toBe(matches);
    const timed = findings.flatMap(({ events }) => events).filter(({ timestamp }) => timestamp !== null);
    expect((await run('--format', 'timesketch')).split('\n').length - 1).toBe(timed.length);
    expect((await run('--format', 'csv')).match(/\}"\r\n/g)).toHaveLength(matches);
    const names = new Set(findings.map((finding) => `${finding.rule_id} ${finding.rule_name}`));
    expect(await run()).toContain(`\n${names.size} rules matched ${matches.toLocaleString('en-US')} times in `);
  });

  it('finds in periods that meet what it finds in both together', async () => {
    const count = async (...more: string[]): Promise<Map<string, number>> => {
      const { out } = await svc('analyze', sharedData('evtx', 'bench'), ...rules, '--format', 'jsonl', ...more);
      const counts = new Map<string, number>();
      for (const line of out.trimEnd().split('\n')) {
        for (const finding of (JSON.parse(line) as Report).findings) {
          const key = `${finding.rule_id} ${finding.rule_name}`;
          counts.set(key, (counts.get(key) ?? 0) + finding.count);
        }
      }
      return counts;
    };
    const [all, before, since] = [
      await count(),
      await count('--until', '2019-12-31'),
      await count('--since', '2020-01-01'),
    ];
    expect(before.size).toBeGreaterThan(20);
    expect(since.size).toBeGreaterThan(20);
    const sum = [...all.keys()].map((key) => [key, (before.get(key) ?? 0) + (since.get(key) ?? 0)] as const);
    expect(sum).toEqual([...all]);
  });
});
