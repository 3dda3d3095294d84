import { taskOf } from '@svc/adapters/testing/fake-engine.ts';
import { engineCatalog } from '@svc/adapters/engines/engine-catalog.ts';
import { LocalEngineRunner } from '@svc/adapters/engines/local-engine-runner.ts';
import { RuleBundles } from '@svc/adapters/engines/rule-bundles.ts';
import { SigmaNativeEngine } from '@svc/adapters/local/sigma-native.ts';
import { ThreadRuleCompiler } from '@svc/adapters/local/thread-rule-compiler.ts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { ScratchFolder } from '@svc/adapters/machine/scratch-folder.ts';
import type { EngineOutput } from '@svc/application/ports/detection-engine.ts';
import type { WorkflowTask } from '@svc/domain';
import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openContainers, type Containers } from '../support/containers.ts';
import { describeWith } from '../support/programs.ts';

/** Of a machine that does much else. */
const patienceMs = 300_000;
vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs });
const root = mkdtempSync(join(tmpdir(), 'svc-engine-containers-'));

/** An engine that does what it finds in the rules that it is given, and tells how it is confined. */
const script = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const after = (option) => process.argv[process.argv.indexOf(option) + 1];
const attempt = (what) => { try { what(); return 'may'; } catch (error) { return error.code; } };
const status = readFileSync('/proc/self/status', 'utf8');
console.log(JSON.stringify({
  uid: process.getuid(),
  root: attempt(() => writeFileSync('/opt/x', '')),
  rules: attempt(() => writeFileSync(after('-r') + '/x', '')),
  input: attempt(() => appendFileSync(after('-f'), 'x')),
  capabilities: /^CapEff:\\s*(\\S+)/m.exec(status)[1],
  privileges: /^NoNewPrivs:\\s*(\\S+)/m.exec(status)[1],
  networks: readFileSync('/proc/net/dev', 'utf8').split('\\n').slice(2).filter(Boolean).map((line) => line.trim().split(':')[0]),
  mounted: attempt(() => readFileSync('/extra/told')),
  key: process.env.SECRET_KEY,
}));
const finding = { Timestamp: '2026-08-01T10:15:00Z', RuleTitle: 'Whoami', Level: 'high', Computer: 'ws1', Channel: 'Security', EventID: 4688, RecordID: 1, Details: { User: 'alice' } };
const write = () => writeFileSync(after('-o'), JSON.stringify(finding) + '\\n');
const does = readFileSync(after('-r') + '/does', 'utf8');
if (does === 'writes') write();
if (does === 'writes and fails') { write(); process.exitCode = 3; }
if (does === 'fails') process.exitCode = 3;
if (does === 'hangs') { process.on('SIGTERM', () => 0); setInterval(() => 0, 1000); }
if (does === 'takes memory') { const all = []; const more = () => { all.push(Buffer.alloc(8_000_000, 1)); setTimeout(more, 10); }; more(); }
`;

/** What findings are looked up in. */
const rule =
  'title: Whoami\nlogsource: { product: windows }\ndetection: { a: { Image: whoami.exe }, condition: a }\nlevel: high\n';
/** A runtime that leaves out what it is told of memory. */
const withoutMemory = `#!/bin/sh
for one; do
  shift
  case $one in --memory*) ;; *) set -- "$@" "$one" ;; esac
done
exec podman "$@"
`;

describeWith('podman', 'an engine in a container', () => {
  let containers: Containers;
  let engine: (does: string, task?: Partial<WorkflowTask>, signal?: AbortSignal) => Promise<EngineOutput>;
  /** The same on a machine that does not hold containers to their memory. */
  let unbounded: typeof engine;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    containers = await openContainers();
    const image = join(root, 'image');
    await mkdir(image);
    await writeFile(join(image, 'engine.mjs'), script);
    const steps = ['COPY engine.mjs /opt/hayabusa/', 'ENTRYPOINT ["node", "/opt/hayabusa/engine.mjs"]'];
    await writeFile(join(image, 'Dockerfile'), [`FROM ${containers.base}`, ...steps, ''].join('\n'));
    await mkdir(join(root, 'extra'));
    await writeFile(join(root, 'extra/told'), 'told');
    // As the store of a worker that is root has it.
    await writeFile(join(root, 'log'), 'log', { mode: 0o600 });
    const runs = join(root, 'runs');
    const scratch = new ScratchFolder(runs);
    const deriveFrom = {
      analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
      threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
    };
    const native = new SigmaNativeEngine({ deriveFrom, memoryMb: 512, threads: 1 });
    const mib = 1_048_576;
    const runnerOf = (containerRuntime: string) =>
      new LocalEngineRunner({
        scratch,
        runs,
        base: root,
        containerRuntime,
        registryPrefix: '',
        limits: { logBytes: 20_000, folderBytes: 64 * mib, memoryBytes: 256 * mib, processes: 100 },
        environment: { ...process.env, ...containers.environment, SECRET_KEY: 'never told' },
      });
    const bundles = new RuleBundles({ folder: join(root, 'rules'), compiler: new ThreadRuleCompiler({}) });
    const parts = { bundles, results: native, scratch, base: root, maxUnpackedBytes: mib };
    const engineOn = (containerRuntime: string): typeof engine => {
      const withRunner = { ...parts, runner: runnerOf(containerRuntime) };
      const catalog = engineCatalog(native, { all: async () => new Map() }, withRunner);
      return async (does, over = {}, signal = new AbortController().signal) => {
        const folder = mkdtempSync(join(root, 'rules-of-'));
        await chmod(folder, 0o755);
        await writeFile(join(folder, 'does'), does);
        await writeFile(join(folder, 'whoami.yml'), rule);
        const program = {
          kind: 'dockerfile' as const,
          dockerfile: 'image/Dockerfile',
          context: null,
          tag: null,
          timeout: 280,
        };
        const task = taskOf('evtx-timeline', { program, rulesPaths: [folder], timeout: 280, ...over });
        const bounds = { maxFindingDetails: 2, maxRawBytes: 10_000 };
        const input = { path: join(root, 'log'), sizeBytes: 3, logType: 'evtx' as const, rules: null, ...bounds, task };
        return (await catalog.current()).get(task)!.run(input, { signal, onProgress: () => undefined });
      };
    };
    engine = engineOn('podman');
    const forgetful = join(root, 'podman');
    await writeFile(forgetful, withoutMemory, { mode: 0o755 });
    unbounded = engineOn(forgetful);
    close = async () => {
      await native.close();
      await scratch.close();
    };
  });
  afterAll(async () => {
    await close?.();
    await containers.remove();
    await rm(root, { recursive: true, force: true });
  });

  it('is built, sees what it is given, and can write and reach nothing else', async () => {
    const { findings, log } = await engine('writes', { containerOptions: [`${join(root, 'extra')}:/extra:ro`] });
    expect(findings).toMatchObject([{ ruleName: 'Whoami', severity: 'high', count: 1 }]);
    expect(JSON.parse(log)).toEqual({
      uid: 65_532,
      root: 'EROFS',
      rules: expect.stringMatching(/^(EROFS|EACCES)$/),
      input: expect.stringMatching(/^(EROFS|EACCES)$/),
      capabilities: '0000000000000000',
      privileges: '1',
      networks: ['lo'],
      mounted: 'may',
    });
    expect(await containers.names()).toEqual([]);
  });

  it('has failed by its exit code only where it has left nothing', async () => {
    expect((await engine('writes and fails')).findings).toHaveLength(1);
    await expect(engine('fails')).rejects.toThrow('ended with exit code 3');
    expect(await containers.names()).toEqual([]);
  });

  it('is ended at its time, at its memory, and when its job is cancelled', async () => {
    await expect(engine('hangs', { timeout: 3 })).rejects.toThrow('did not finish within its limit of 3 s');
    // By the machine, or by whoever watches, whichever looks first.
    await expect(engine('takes memory')).rejects.toThrow(/ended with exit code 137|took more than the 256 MiB/);
    await expect(unbounded('takes memory')).rejects.toThrow('took more than the 256 MiB of memory that it may');
    expect(await containers.names()).toEqual([]);
    const cancel = new AbortController();
    const run = engine('hangs', {}, cancel.signal);
    while ((await containers.names()).length === 0) await sleep(50);
    cancel.abort(new Error('cancelled'));
    await expect(run).rejects.toThrow('cancelled');
    expect(await containers.names()).toEqual([]);
  });
});
