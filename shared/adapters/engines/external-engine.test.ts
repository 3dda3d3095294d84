import type { EngineInput, EngineOutput, ReadyRules } from '@svc/application/ports/detection-engine.ts';
import type { WorkflowTask } from '@svc/domain';
import { loadRules, packRules } from '@svc/engine';
import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigmaNativeEngine } from '../local/sigma-native.ts';
import { ThreadRuleCompiler } from '../local/thread-rule-compiler.ts';
import { projectRoot } from '../machine/project-root.ts';
import { ScratchFolder } from '../machine/scratch-folder.ts';
import { taskOf } from '../testing/fake-engine.ts';
import { engineCatalog } from './engine-catalog.ts';
import { LocalEngineRunner } from './local-engine-runner.ts';
import { RuleBundles } from './rule-bundles.ts';

const root = mkdtempSync(join(tmpdir(), 'svc-engines-'));
const base = join(root, 'config');
const runs = join(root, 'runs');
const log = join(root, 'log');
const scratch = new ScratchFolder(runs);
const native = new SigmaNativeEngine({
  deriveFrom: {
    analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
    threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
  },
  memoryMb: 512,
  threads: 1,
});
const limits = { logBytes: 10_000, folderBytes: 8 * 1_048_576, memoryBytes: 4096 * 1_048_576, processes: 100 };
const runner = new LocalEngineRunner({
  scratch,
  runs,
  base,
  containerRuntime: 'no-such-runtime',
  registryPrefix: '',
  limits,
  environment: { PATH: process.env['PATH'] },
});
const bundles = new RuleBundles({ folder: join(root, 'rules'), compiler: new ThreadRuleCompiler({}) });
const catalog = engineCatalog(
  native,
  { all: async () => new Map([['evtx-timeline' as const, { enabled: true, program: null, seen: null }]]) },
  { runner, bundles, results: native, scratch, base, maxUnpackedBytes: 1_048_576 },
);

const rule = (title: string, id: string, product: string): string => `title: ${title}
id: ${id}
author: J. Doe
level: high
tags: [attack.discovery]
logsource: { product: ${product}, category: process_creation }
detection:
  selection: { Image|endswith: '\\whoami.exe' }
  condition: selection
`;
const whoami = '2f3c1a10-0000-4000-8000-000000000001';

function packs(): ReadyRules {
  const files = [
    { path: 'windows/whoami.yml', text: rule('Whoami', whoami, 'windows') },
    { path: 'linux/whoami.yml', text: rule('Whoami on Linux', '2f3c1a10-0000-4000-8000-000000000002', 'linux') },
  ];
  const { rules, rejected } = loadRules(files);
  expect(rejected).toEqual([]);
  const ruleSet = { name: 'own', version: '1', loaded: 2, rejected: 0, packs: [] };
  return { digest: 'of-own', ruleSet, load: async () => packRules(rules).slice() };
}

/** A program of Node.js that stands for an engine: `asked` are its arguments. */
async function program(name: string, script: string): Promise<string> {
  const path = join(root, name);
  const after = `const { writeFileSync, readdirSync, readFileSync } = require('node:fs');
    const asked = process.argv.slice(2); const after = (option) => asked[asked.indexOf(option) + 1];`;
  await writeFile(path, `#!${process.execPath}\n${after}\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

let engines = 0;
/** What an engine that does this makes of a job. */
async function ran(
  tool: string,
  script: string,
  {
    task = {},
    ...over
  }: Partial<Omit<EngineInput, 'task'>> & { task?: Partial<WorkflowTask>; signal?: AbortSignal } = {},
): Promise<EngineOutput> {
  const path = await program(`engine-${(engines += 1)}`, script);
  const whole = taskOf(tool, { program: { kind: 'path', path }, timeout: 120, ...task });
  const engine = (await catalog.current()).get(whole);
  const bounds = { maxFindingDetails: 2, maxRawBytes: 100_000 };
  const input = { path: log, sizeBytes: 3, logType: 'evtx' as const, rules: packs(), ...bounds, ...over, task: whole };
  return engine!.run(input, { signal: over.signal ?? new AbortController().signal, onProgress: () => undefined });
}

/** A line of Hayabusa's for a record. */
const line = (record: number, over: object = {}): object => ({
  Timestamp: `2026-08-01T10:15:0${record % 10}.000000Z`,
  RuleTitle: 'Whoami',
  RuleID: whoami,
  Level: 'med',
  Computer: 'ws1.example.org',
  Channel: 'Sysmon',
  EventID: 1,
  RecordID: record,
  MitreTags: ['T1033'],
  AllFieldInfo: { Image: 'C:\\Windows\\System32\\whoami.exe', User: 'alice' },
  ...over,
});
const writes = (lines: readonly unknown[]): string =>
  `writeFileSync(after('-o'), ${JSON.stringify(lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'))});`;

beforeAll(async () => {
  await mkdir(base);
  await writeFile(log, 'log');
});
afterAll(async () => {
  await native.close();
  await scratch.close();
  await rm(root, { recursive: true, force: true });
});

/** What runs have left in their folders; the lock and the folder of this process stay. */
async function leftovers(): Promise<string[]> {
  return (await readdir(runs, { recursive: true })).filter((path) => path.includes('/') && !path.includes('.lock'));
}

describe('an engine of others', () => {
  it('leaves findings with samples, text of the rule, and what is derived of its events', async () => {
    const { findings, derived, events, ruleSet } = await ran('evtx-timeline', writes([line(1), line(2), line(3)]));
    expect(findings).toMatchObject([
      { ruleId: whoami, ruleName: 'Whoami', severity: 'medium', count: 3, hosts: ['ws1.example.org'] },
    ]);
    expect(findings[0]!.events.map(({ recordId }) => recordId)).toEqual(['1', '2']);
    expect(findings[0]!.ruleSource).toContain('author: J. Doe');
    expect(JSON.stringify(derived?.entities)).toContain('alice');
    expect(derived?.alerts.markers).toHaveLength(3);
    expect(derived?.census).toBeUndefined();
    expect([events, ruleSet?.name]).toEqual([null, 'own']);
    expect(await leftovers()).toEqual([]);
  });

  it('has found nothing where it wrote nothing, or an empty list', async () => {
    for (const [tool, script] of [
      ['evtx-timeline', ''],
      ['evtx-timeline', writes([''])],
      ['sigma-multi', `writeFileSync(after('-o'), '[\\n]')`],
      ['evtx-hunt', ''],
    ] as const) {
      const rules = { task: { rulesPaths: ['.'] } };
      expect(await ran(tool, script, rules)).toMatchObject({ findings: [], derived: null });
    }
    const text = { logType: 'syslog' as const, task: { rulesPaths: ['.'] } };
    expect((await ran('sigma-text', `console.log('null')`, text)).findings).toEqual([]);
  });

  it('drops and counts records that are none, and fails on a file that is none', async () => {
    const { findings, warnings } = await ran('evtx-timeline', writes([line(1), '{"Level":', { a: 1 }, line(2)]));
    expect(findings).toMatchObject([{ count: 2 }]);
    expect(warnings.join()).toMatch(/2 times/);
    await expect(ran('evtx-timeline', writes(['\u0000\u0001\u0002 no findings', 'at all']))).rejects.toThrow(
      'What evtx-timeline wrote cannot be read',
    );
  });

  it('fails by its exit code, also with findings, and keeps what it said', async () => {
    const script = `${writes([line(1)])} console.error('rules are broken'); process.exitCode = 4;`;
    await expect(ran('evtx-timeline', script)).rejects.toMatchObject({
      message: 'evtx-timeline ended with exit code 4',
      log: 'rules are broken\n',
    });
    expect(await leftovers()).toEqual([]);
  });

  it('fails in words at each of its limits', async () => {
    const hangs = `setInterval(() => 0, 1000);`;
    await expect(ran('evtx-timeline', hangs, { task: { timeout: 1 } })).rejects.toThrow(
      'evtx-timeline did not finish within its limit of 1 s',
    );
    const fills = `const { appendFileSync } = require('node:fs'); setInterval(() => appendFileSync(after('-o'), Buffer.alloc(1e6)), 5);`;
    await expect(ran('evtx-timeline', fills)).rejects.toThrow('wrote more than the 8 MiB that it may');
    await expect(ran('evtx-timeline', `process.kill(process.pid, 'SIGKILL'); ${hangs}`)).rejects.toThrow(
      'ended by SIGKILL, as the machine does when it has no memory left',
    );
    expect(await leftovers()).toEqual([]);
    // The next one runs as if nothing had been.
    expect((await ran('evtx-timeline', writes([line(1)]))).findings).toHaveLength(1);
  });

  it('stops with the reason of its signal and leaves nothing', async () => {
    const cancel = new AbortController();
    const begun = join(root, 'begun');
    const script = `process.on('SIGTERM', () => 0); writeFileSync(${JSON.stringify(begun)}, '1'); setInterval(() => 0, 1000);`;
    const run = ran('evtx-timeline', script, { signal: cancel.signal });
    while ((await readFile(begun, 'utf8').catch(() => '')) === '') await sleep(20);
    cancel.abort(new Error('cancelled'));
    await expect(run).rejects.toThrow('cancelled');
    expect(await leftovers()).toEqual([]);
  });

  it('is told threads, levels, and what the task adds, word for word', async () => {
    const script = `console.log(JSON.stringify(asked));`;
    const task = {
      threads: 3,
      options: { min_level: 'high', status: ['stable', 'test'] },
      extraArgs: ['--no-wizard', '$(id) "x"'],
    };
    const asked = JSON.parse((await ran('evtx-timeline', script, { task })).log) as string[];
    expect(asked.join(' ')).toMatch(
      /^dfir-timeline -f \S+\.evtx -r \S+ -t jsonl -o \S+ .*--threads 3 --min-level high/,
    );
    expect(asked.join(' ')).toContain('--include-status stable,test');
    expect(asked.slice(-2)).toEqual(task.extraArgs);
  });
});

describe('rules', () => {
  it('of packs come as a folder of Sigma files, those of the product', async () => {
    const script = `const folder = after('-s'); console.error(JSON.stringify(readdirSync(folder).map((name) => readFileSync(folder + '/' + name, 'utf8'))));`;
    const { log: said } = await ran('evtx-hunt', script);
    expect(JSON.parse(said)).toEqual(
      [rule('Whoami', whoami, 'windows').trimEnd()].map((text) => expect.stringContaining(text.slice(0, 60))),
    );
  });

  it('of packs are converted once by the engine that reads another form', async () => {
    // It converts where it is told to keep what it has converted, and counts how often.
    const count = join(root, 'conversions');
    const script = `const { appendFileSync } = require('node:fs');
      if (asked.includes('-sr')) { appendFileSync(${JSON.stringify(count)}, after('-p') + '\\n'); writeFileSync('ruleset-x.json', '[]'); }
      else { console.log(asked.slice(asked.indexOf('-r') + 1, asked.indexOf('-o')).join(' ')); writeFileSync(after('-o'), '[]'); }`;
    const { log: said } = await ran('sigma-multi', script);
    await ran('sigma-multi', script);
    expect(said).toMatch(/sigma-sysmon-windows-logsources\.json \S+sigma-windows-audit-windows-logsources\.json$/m);
    expect(await readFile(count, 'utf8')).toBe('sysmon\nwindows-audit\n');
  });

  it('of folders give level and text by id, else by title', async () => {
    await mkdir(join(base, 'own'), { recursive: true });
    await writeFile(
      join(base, 'own/rule.yml'),
      rule('Shell from cron', '2f3c1a10-0000-4000-8000-000000000003', 'linux'),
    );
    const found = {
      Timestamp: 'Aug  1 10:15:00',
      Message: 'cron[1]: sh',
      Tags: [],
      Author: '',
      Title: 'Shell from cron',
    };
    const script = `console.log(${JSON.stringify(JSON.stringify([found, { ...found, Title: 'Unknown' }]))});`;
    const { findings, ruleSet } = await ran('sigma-text', script, {
      logType: 'syslog',
      rules: null,
      task: { rulesPaths: ['own'] },
    });
    const ordered = findings.toSorted((one, other) => one.ruleName.localeCompare(other.ruleName));
    expect(ordered).toMatchObject([
      {
        ruleName: 'Shell from cron',
        severity: 'high',
        count: 1,
        ruleSource: expect.stringContaining('author: J. Doe'),
      },
      { ruleName: 'Unknown', severity: 'informational', count: 1 },
    ]);
    expect(ruleSet).toMatchObject({ name: 'own', loaded: 1 });
  });

  it('that are not here fail the task', async () => {
    await expect(ran('evtx-hunt', '', { task: { rulesPaths: ['none'] } })).rejects.toThrow(/rules_path \S+none is not/);
    const several = { task: { rulesPaths: ['.', '..'] } };
    await expect(ran('evtx-timeline', '', several)).rejects.toThrow('takes one rules_path');
    await expect(ran('evtx-hunt', '', { task: { options: { config: 'none.yml' } } })).rejects.toThrow(
      /options\.config/,
    );
  });
});

describe('a log', () => {
  it('comes unpacked, within bounds, and under a name of its type', async () => {
    const packed = join(root, 'packed');
    await writeFile(packed, gzipSync('{"a":1}'));
    const script = `console.log(after('-e').split('.').at(-1), readFileSync(after('-e'), 'utf8'), asked.includes('-j'));`;
    const given = { path: packed, logType: 'json_evtx' as const, task: { rulesPaths: ['.'] } };
    expect((await ran('sigma-multi', script, given)).log).toContain('json {"a":1} true');
    await writeFile(packed, gzipSync(Buffer.alloc(2_000_000)));
    await expect(ran('sigma-multi', script, given)).rejects.toThrow('unpacks to more than sigma-multi is given');
  });

  it('leaves its engine a place for what it makes where it is started', async () => {
    const script = `require('node:fs').mkdirSync('tmp-of-its-own');
      console.log(process.cwd() === require('node:fs').realpathSync(require('node:path').dirname(after('-o'))));
      writeFileSync(after('-o'), '[]');`;
    const { log: said } = await ran('sigma-multi', script, { logType: 'auditd', task: { rulesPaths: ['.'] } });
    expect(said.trim()).toBe('true');
  });

  it('in an archive is for the built-in engine alone', async () => {
    const archive = join(root, 'archive');
    await writeFile(archive, 'PK\u0003\u0004');
    await expect(ran('evtx-timeline', '', { path: archive })).rejects.toMatchObject({
      name: 'EngineFailure',
      message: 'evtx-timeline cannot read archives: not supported',
    });
  });
});

describe('the catalog', () => {
  it('has what the settings enable, and what a task says itself where to find', async () => {
    const enabled = await catalog.current();
    const own = { kind: 'path' as const, path: '/x' };
    expect(enabled.get({ tool: 'evtx-timeline', program: null })).toMatchObject({ isBuiltIn: false });
    expect(enabled.get({ tool: 'evtx-hunt', program: null })).toBeNull();
    expect(enabled.get({ tool: 'evtx-hunt', program: own })?.supportedTypes).toEqual(new Set(['evtx']));
    expect(enabled.get({ tool: 'unheard-of', program: own })).toBeNull();
    expect(enabled.get({ tool: 'sigma-native', program: null })).toBe(native);
  });

  it('leaves to the run whether the program is on this machine', async () => {
    const task = { program: { kind: 'path' as const, path: { 'aarch64-darwin': '/x' } } };
    await expect(ran('evtx-timeline', '', { task })).rejects.toThrow(/names no program of evtx-timeline for/);
    const image = { program: { kind: 'image' as const, image: 'hayabusa' } };
    await expect(ran('evtx-timeline', '', { task: image })).rejects.toThrow('This machine has no no-such-runtime');
    expect(await runner.find('evtx-timeline', { kind: 'path', path: '/none' })).toEqual({
      missing: '/none is no program that can be started here',
    });
    const path = await program('versioned', `console.log('Hayabusa v4.0.0 - a release')`);
    expect(await runner.find('evtx-timeline', { kind: 'path', path })).toEqual({
      version: '4.0.0',
      at: path,
      digest: null,
    });
  });
});

describe('an image that is made ready', () => {
  const withRuntime = (containerRuntime: string) =>
    new LocalEngineRunner({
      scratch,
      runs,
      base,
      containerRuntime,
      registryPrefix: 'mirror.example',
      limits,
      environment: { PATH: process.env['PATH'] },
    });
  const never = new AbortController().signal;

  it('is pulled from the mirror or built, and what the runtime says comes meanwhile', async () => {
    const runtime = withRuntime(
      await program('podman', `console.log('asked: ' + asked.join(' ')); console.error('done')`),
    );
    const said: string[] = [];
    await runtime.prepare({ kind: 'image', image: 'hunt:2' }, (text) => said.push(text), never);
    expect(said.join('')).toContain('asked: pull mirror.example/hunt:2\n');
    expect(said.join('')).toContain('done\n');
    const file = {
      kind: 'dockerfile',
      dockerfile: 'own/Dockerfile',
      context: null,
      tag: 'own:1',
      timeout: 60,
    } as const;
    await expect(runtime.prepare(file, () => undefined, never)).rejects.toThrow(/Dockerfile .* is not on this machine/);
    await mkdir(join(base, 'own'), { recursive: true });
    await writeFile(join(base, file.dockerfile), 'FROM scratch\n');
    await runtime.prepare(file, (text) => said.push(text), never);
    expect(said.join('')).toContain(
      `asked: build --file=${join(base, file.dockerfile)} --tag=own:1 ${join(base, 'own')}\n`,
    );
  });

  it('fails with the last line that the runtime said', async () => {
    const runtime = withRuntime(
      await program('podman-failing', `console.error('denied: no such image'); process.exit(1)`),
    );
    await expect(runtime.prepare({ kind: 'image', image: 'hunt:2' }, () => undefined, never)).rejects.toThrow(
      'mirror.example/hunt:2 could not be pulled: denied: no such image',
    );
  });
});
