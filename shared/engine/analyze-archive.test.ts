import { type Zippable, zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Analysis } from './findings.ts';
import { explainRecord } from './explain/explain-record.ts';
import { detectLogType } from './readers/detect-log-type.ts';
import { loadRules } from './sigma/load-rules.ts';
import { writeEvtx } from './testing/evtx-writer.ts';
import { sourceOf } from './testing/read-all.ts';

const rule = (name: string, logSource: string, detection: string): string =>
  `title: ${name}\nname: ${name}\nlogsource: ${logSource}\ndetection: {s: ${detection}, condition: s}\n`;
const { rules } = loadRules([
  {
    path: 'r.yml',
    text: [
      rule('started', '{product: windows, category: process_creation}', "{Image|endswith: '.exe'}"),
      rule('sudo', '{product: linux, service: sudo}', '{USER: root}'),
      'title: Both\ncorrelation: {type: temporal, rules: [started, sudo], timespan: 1h, generate: true}\n',
    ].join('---\n'),
  },
]);

const started = (...minutes: number[]): Uint8Array =>
  writeEvtx(
    minutes.map((minute) => ({
      provider: 'Microsoft-Windows-Sysmon',
      channel: 'Microsoft-Windows-Sysmon/Operational',
      computer: 'pc',
      eventId: 1,
      time: new Date(Date.UTC(2026, 2, 4, 8, minute)).toISOString(),
      data: { Image: `${minute}.exe` },
    })),
  );
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const auth = bytesOf('2026-03-04T08:15:00Z h sudo: bob : TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/id\n');
const noise = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 251);

async function analyzed(bytes: Uint8Array, options: Partial<AnalyzeOptions> = {}): Promise<Analysis> {
  return analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 3, ...options });
}

const found = ({ findings }: Analysis): unknown[] =>
  findings
    .toSorted((one, other) => (one.ruleName < other.ruleName ? -1 : 1))
    .map(({ ruleName, count, samples }) => [ruleName, count, samples.map(({ fields }) => fields['_file'])]);

describe('a zip archive', () => {
  const logs: Zippable = {
    'pc/': new Uint8Array(),
    'pc/README.txt': bytesOf('what we took\n'),
    'pc/b.evtx': started(30, 10),
    'pc/a.evtx': started(20),
    'host/auth.log.gz': gzipSync(auth),
  };

  it('is analysed as the logs in it, each by its content, with all correlated', async () => {
    const analysis = await analyzed(zipSync(logs));
    expect(analysis).toMatchObject({ logType: 'evtx', events: 4 });
    expect(found(analysis)).toEqual([
      ['Both', 4, ['pc/b.evtx', 'host/auth.log.gz', 'pc/a.evtx']],
      ['started', 3, ['pc/b.evtx', 'pc/a.evtx', 'pc/b.evtx']],
      ['sudo', 1, ['host/auth.log.gz']],
    ]);
    expect(analysis.findings.find(({ ruleName }) => ruleName === 'started')).toMatchObject({
      first: expect.stringMatching(/^2026-03-04T08:10:00/) as string,
      last: expect.stringMatching(/^2026-03-04T08:30:00/) as string,
    });
    expect(analysis.problems).toMatchObject([{ code: 'archive-entry', count: 1 }]);
    expect(analysis.problems[0]!.message).toBe(
      'What is in the archive was not read, as it is no known log: pc/README.txt.',
    );
  });

  it('is of the type that is asked for where content does not tell one', async () => {
    const cut = started(1).subarray(4096);
    const analysis = await analyzed(zipSync({ 'cut.evtx': cut, 'a.log': auth }), { logType: 'evtx' });
    expect(found(analysis)).toEqual([
      ['Both', 2, ['cut.evtx', 'a.log']],
      ['started', 1, ['cut.evtx']],
      ['sudo', 1, ['a.log']],
    ]);
    expect(analysis.problems.map(({ message }) => message.slice(0, 10))).toContain('cut.evtx: ');
    const told = await analyzed(zipSync({ 'whole.evtx': started(2), 'notes.txt': noise }), { logType: 'evtx' });
    expect(told.problems.map(({ message }) => message)).toEqual([expect.stringContaining('notes.txt') as string]);
    expect(told.problems[0]?.code).toBe('archive-entry');
  });

  it('tells the type by the first log in it', () => {
    const type = (entries: Zippable, level: 0 | 6 = 6): string =>
      detectLogType(zipSync(entries, { level }).subarray(0, 65_536));
    expect(type(logs)).toBe('evtx');
    expect(type(logs, 0)).toBe('evtx');
    expect(type({ 'a.txt': noise, 'auth.log': auth })).toBe('syslog');
    expect(type({ 'a.txt': noise })).toBe('unknown');
    expect(type({ 'inner.zip': zipSync(logs) })).toBe('unknown');
    expect(type({})).toBe('unknown');
  });

  it('says what of it is not safe to open', async () => {
    const { problems, events } = await analyzed(
      zipSync({ '../up.evtx': started(1), 'in.zip': zipSync(logs), 'a.evtx': started(2) }),
    );
    expect(events).toBe(1);
    expect(problems.map(({ message }) => message)).toEqual([
      'What is in the archive was not read, as its name leads out of the archive: ../up.evtx.',
      'What is in the archive was not read, as it is an archive itself: in.zip.',
    ]);
    const bomb = await analyzed(zipSync({ 'zeros.log': new Uint8Array(20_000_000) }));
    expect(bomb).toMatchObject({ events: 0, findings: [] });
    expect(bomb.problems[0]!.message).toMatch(/^The archive was not read, as it unpacks to more than 200 times/);
    expect((await analyzed(zipSync(logs).subarray(0, 500))).problems[0]!.message).toMatch(/^The archive was not read/);
  });

  it('without any log is none, and an analysis of it can be cancelled', async () => {
    const unsupported = { name: 'UnsupportedLogError' };
    await expect(analyzed(zipSync({ 'a.txt': noise }))).rejects.toMatchObject(unsupported);
    await expect(analyzed(gzipSync(zipSync(logs)))).rejects.toMatchObject(unsupported);
    const explained = explainRecord(sourceOf(zipSync(logs)), { rules: rules.rules, logType: 'auto', record: '1' });
    await expect(explained).rejects.toMatchObject(unsupported);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(analyzed(zipSync(logs), { signal })).rejects.toThrow('enough');
  });

  it('counts progress in its own bytes', async () => {
    const bytes = zipSync(logs);
    const progress: number[] = [];
    await analyzed(bytes, { onProgress: (done) => progress.push(done) });
    expect(progress.at(-1)).toBeGreaterThan(bytes.length * 0.99);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    expect(Math.max(...progress)).toBeLessThanOrEqual(bytes.length);
  });
});
