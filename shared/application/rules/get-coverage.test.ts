import { logSettings, techniquesOf } from '@svc/domain';
import { type LoggedKind, loadRules, needsOfRules } from '@svc/engine';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coverageOf } from './get-coverage.ts';

const core = rulesIn(
  readdirSync('config/sigma', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yml'))
    .map((name) => readFileSync(`config/sigma/${name}`, 'utf8')),
);

function rulesIn(texts: readonly string[]) {
  const { rules } = loadRules(texts.map((text, at) => ({ path: `${at}.yml`, text })));
  const needs = needsOfRules(rules);
  return [...rules.rules, ...rules.correlations].map(({ tags }, at) => {
    return { pack: 'core', techniques: techniquesOf(tags), needs: needs[at]! };
  });
}

function rule(logsource: string, detection: string, technique: string) {
  return rulesIn([
    `title: T\nlogsource: {${logsource}}\ndetection: {s: {${detection}}, condition: s}\nlevel: low\ntags: [attack.${technique}]\n`,
  ]);
}

function windows(channel: string, event: number): LoggedKind {
  return { source: 'windows', channel, provider: null, event: String(event) };
}

const security = rule('product: windows, service: security', 'EventID: [5136, 5137]', 't1484');

function totals({ techniques }: Pick<ReturnType<typeof coverageOf>, 'techniques'>) {
  const all = Object.values(techniques).flat();
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  return { rules: sum((one) => one.rules), fed: sum((one) => one.fed) };
}

function fed(rules: ReturnType<typeof rule>, ...kinds: LoggedKind[]): boolean {
  const { techniques } = coverageOf(rules, kinds, logSettings);
  return Object.values(techniques).every((packs) => packs.every((one) => one.fed === one.rules));
}

it('has nothing to see without a log, and every rule of the core pack has a setting that feeds it', () => {
  const { techniques, settings } = coverageOf(core, [], logSettings);
  expect(Object.values(techniques).every((packs) => packs.every((one) => one.fed === 0))).toBe(true);
  const nothing = settings.filter((setting) => setting.rules === 0).map(({ key }) => key);
  // These are for other packs.
  const forOthers = 'process-termination plug-and-play ipsec-driver entra-signins entra-risk'.split(' ');
  expect(nothing.filter((key) => !forOthers.includes(key))).toEqual([]);
  expect(new Set(logSettings.map(({ key }) => key)).size).toBe(logSettings.length);
  const all = settings.reduce((sum, setting) => sum + setting.techniques.length, 0);
  expect(all).toBeGreaterThan(Object.keys(techniques).length);
  const everything = logSettings.flatMap(({ logs }) =>
    logs.flatMap((log): LoggedKind[] =>
      'source' in log
        ? [{ source: log.source, channel: null, provider: null, event: log.type ?? null }]
        : (log.events ?? [0]).map((event) => ({ ...windows(log.channel, event), provider: log.provider ?? null })),
    ),
  );
  const blind = coverageOf(core, everything, logSettings);
  // Of a few rules the log is one that nothing switches on.
  const { fed: seen } = totals(blind);
  expect(seen).toBeGreaterThan(0.95 * totals(coverageOf(core, [], logSettings)).rules);
  expect(blind.settings.every((setting) => setting.received && setting.rules === 0)).toBe(true);
});

it('tells a log that was received from an audit setting that is off', () => {
  expect(fed(security, windows('Security', 4624))).toBe(false);
  expect(fed(security, windows('security', 5137))).toBe(true);
  // The setting is on: that just these did not happen says nothing.
  expect(fed(security, windows('Security', 5141))).toBe(true);
  expect(fed(security, windows('System', 5137))).toBe(false);
  const gains = coverageOf(security, [windows('Security', 4624)], logSettings).settings;
  expect(gains[0]).toMatchObject({ key: 'directory-changes', techniques: ['T1484'], rules: 1, received: false });
  expect(gains[1]).toMatchObject({ techniques: [], rules: 0 });
});

it('counts what is always logged where its channel was received', () => {
  const cleared = rule('product: windows, service: security', 'EventID: 1102', 't1070');
  expect(fed(cleared, windows('Security', 4624))).toBe(true);
  const own = rule('product: windows, service: security', 'EventID: 6281', 't1036');
  expect(fed(own, windows('Security', 4624))).toBe(true);
});

it('goes by the records that stand for a category', () => {
  const processes = rule('product: windows, category: process_creation', 'Image|endswith: \\a.exe', 't1059');
  expect(fed(processes, windows('Security', 4624))).toBe(false);
  expect(fed(processes, windows('Security', 4688))).toBe(true);
  expect(fed(processes, { ...windows('ForwardedEvents', 1), provider: 'Microsoft-Windows-Sysmon' })).toBe(true);
  const started = rule('product: linux, category: process_creation', 'Image|endswith: /nc', 't1059');
  const record = (type: string): LoggedKind => ({
    source: 'linux: auditd',
    channel: null,
    provider: null,
    event: type,
  });
  expect(fed(started, record('USER_LOGIN'))).toBe(false);
  expect(fed(started, record('EXECVE'))).toBe(true);
});

it('finds every fact of a source again by its name, and takes one of its rules for a correlation', () => {
  const seen = (source: string, logsource: string) =>
    fed(rule(logsource, 'a: b', 't1059'), { source, channel: null, provider: null, event: null });
  expect(seen('zeek: http', 'category: proxy')).toBe(true);
  expect(seen('linux: syslog, sshd, auth', 'product: linux, service: sshd')).toBe(true);
  expect(seen('linux: syslog, sshd, auth', 'product: linux, service: cron')).toBe(false);
  expect(seen('linux, jvm: syslog, application', 'product: jvm, category: application')).toBe(true);
  const parts = ['4624', '4625'].map(
    (event) =>
      `title: ${event}\nname: r${event}\nlogsource: {product: windows, service: security}\ndetection: {s: {EventID: ${event}}, condition: s}\nlevel: low\n`,
  );
  const both = rulesIn([
    `title: C\ncorrelation: {type: temporal, rules: [r4624, r4625], timespan: 1m}\nlevel: low\ntags: [attack.t1110]\n---\n${parts.join('---\n')}`,
  ]);
  expect(fed(both, windows('Security', 4625))).toBe(true);
});
