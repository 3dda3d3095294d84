import { ECSClient } from '@aws-sdk/client-ecs';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { FargateEngines } from '@svc/adapters/aws/fargate-engines.ts';
import { s3Client } from '@svc/adapters/aws/s3-client.ts';
import { s3SettingsOf } from '@svc/adapters/aws/s3-settings.ts';
import { silentLog } from '@svc/adapters/testing/silent-log.ts';
import type { EngineCommand, EngineLeft } from '@svc/application/ports/engine-runner.ts';
import { readEnvironment } from '@svc/config';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/programs.ts';
import { startS3, type S3Server } from '../support/s3-server.ts';
import { openStandIn, type StandIn } from '../support/stand-in.ts';

const source = fileURLToPath(new URL('../../containers/tools/entry', import.meta.url));
const hasGo = spawnSync('go', ['version']).status === 0;
if (!hasGo) console.warn('skipped: engines as tasks of ECS: go is not installed');

/** An engine: it does what the file says that it is given as a log. */
const engine = `
import { execPath } from 'node:process';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
const [input, rules, output] = process.argv.slice(2);
const said = readFileSync(input, 'utf8');
const pids = process.env.HOME + '/pids';
writeFileSync(pids, String(process.pid));
process.on('SIGTERM', () => {});
if (said === 'find') {
  writeFileSync(join(output, 'found.json'), JSON.stringify({
    rules: readdirSync(rules, { recursive: true }).sort().map((name) => [name, name.endsWith('.yml') ? readFileSync(join(rules, name), 'utf8') : '']),
    environment: Object.keys(process.env).sort(),
    read: basename(input),
    startsInOutput: process.cwd() === realpathSync(output),
  }));
  symlinkSync('/etc/passwd', join(output, 'linked'));
  console.log('printed');
  console.error('warned');
  process.exitCode = 3;
} else if (said === 'hang') {
  const child = spawn(execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)']);
  writeFileSync(pids, process.pid + ' ' + child.pid);
  setInterval(() => {}, 1000);
} else if (said === 'fill') {
  let parts = 0;
  setInterval(() => writeFileSync(join(output, 'part' + parts++), Buffer.alloc(200_000)), 20);
}
`;

describeWith('s3', 'engines as tasks of ECS', () => {
  let folder: string;
  let s3: S3Server;
  let ecs: StandIn;
  let engines: FargateEngines;
  /** Tasks by their ARNs. */
  const tasks = new Map<string, { readonly child: ChildProcess; readonly volume: string }>();
  const volume = (): string => join(folder, 'work');

  beforeAll(async () => {
    if (!hasGo) return;
    folder = await mkdtemp(join(tmpdir(), 'svc-engines-'));
    const build = ['build', '-trimpath', '-o', join(folder, 'entry'), '.'];
    execFileSync('go', build, { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } });
    await writeFile(join(folder, 'engine.mjs'), engine);
    s3 = await startS3();
    // ECS, whose machines are processes; of LocalStack's it needs another edition.
    ecs = await openStandIn(({ headers, body }, response) => {
      const input = JSON.parse(body) as Record<string, unknown>;
      const does = { ListTasks: listed, RunTask: begun, DescribeTasks: described, StopTask: stopped };
      const answer = does[String(headers['x-amz-target']).replace(/^.*\./, '') as keyof typeof does](input as never);
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    });
    const clients = {
      ecs: new ECSClient({
        endpoint: ecs.url,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      }),
      s3: s3Client(s3SettingsOf(readEnvironment(s3.env)), true),
    };
    const options = {
      cluster: 'c',
      subnets: ['subnet-1'],
      securityGroups: ['sg-1'],
      bucket: s3.bucket,
      folder: join(folder, 'outputs'),
      engines: new Map([['sigma-text' as const, { family: 'svc-sigma-text', most: 1 }]]),
      maxOutputBytes: 2_000_000,
      maxLogBytes: 1000,
      volume: volume(),
      lookMs: 50,
      waitMs: 50,
    };
    engines = new FargateEngines(clients, options, silentLog);
  });
  afterEach(async () => {
    tasks.clear();
    if (hasGo) await rm(volume(), { recursive: true, force: true });
  });
  afterAll(async () => {
    engines?.close();
    ecs?.close();
    await s3?.remove();
    if (hasGo) await rm(folder, { recursive: true, force: true });
  });

  const listed = (): object => ({
    taskArns: [...tasks].filter(([, { child }]) => child.exitCode === null).map(([arn]) => arn),
  });
  function begun({ overrides }: { overrides: { containerOverrides: [{ environment: [{ value: string }] }] } }): object {
    const [{ value }] = overrides.containerOverrides[0].environment;
    const env = { PATH: process.env['PATH'], SVC_ENGINE_ORDER: value, OF_THE_IMAGE: 'x' };
    const child = spawn(join(folder, 'entry'), [process.execPath, join(folder, 'engine.mjs')], { env });
    const arn = `arn:aws:ecs:::task/c/${tasks.size}`;
    tasks.set(arn, { child, volume: volume() });
    return { tasks: [{ taskArn: arn }] };
  }
  function described({ tasks: [arn] }: { tasks: [string] }): object {
    const { child } = tasks.get(arn)!;
    const has = child.exitCode === null && child.signalCode === null;
    return { tasks: [{ lastStatus: has ? 'RUNNING' : 'STOPPED', containers: [{ exitCode: child.exitCode }] }] };
  }
  function stopped({ task }: { task: string }): object {
    tasks.get(task)!.child.kill('SIGTERM');
    return {};
  }

  /** A run over a log that says this. */
  async function run<T>(
    says: string,
    over: { timeout?: number; signal?: AbortSignal; printsTo?: string } = {},
    read: (left: EngineLeft) => Promise<T> = async () => null as T,
  ): Promise<T> {
    const [input, rules] = [join(folder, `${says}.log`), join(folder, 'rules')];
    await writeFile(input, says);
    await mkdir(join(rules, 'deep/er'), { recursive: true });
    await writeFile(join(rules, 'deep/er/a.yml'), 'title: A');
    await symlink('deep/er/a.yml', join(rules, 'b.yml')).catch(() => undefined);
    const command: EngineCommand = {
      engine: 'sigma-text',
      program: null,
      input,
      inputName: 'log.txt',
      imageHome: '/opt/engine',
      rules: [rules],
      config: null,
      mounts: [],
      args: (places) => [places.input, places.rules[0]!, places.output],
      startsIn: 'output',
      printsTo: over.printsTo ?? null,
      timeout: over.timeout ?? 300,
    };
    return engines.run(command, over.signal ?? new AbortController().signal, read);
  }

  /** Processes of the engine that are there. */
  async function alive(): Promise<number[]> {
    const said = await readFile(join(volume(), 'pids'), 'utf8').catch(() => '');
    return said
      .split(' ')
      .map(Number)
      .filter((pid) => pid > 0 && existsSync(`/proc/${pid}`) && !isZombie(pid));
  }

  async function objects(): Promise<number> {
    return (await s3.client.send(new ListObjectsV2Command({ Bucket: s3.bucket }))).KeyCount ?? 0;
  }
  const ended = async (): Promise<void> => {
    for (const { child } of tasks.values())
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  it.skipIf(!hasGo)('reach log and rules by links, and hand back files, exit code and log', async () => {
    const left = await run('find', { printsTo: 'printed.txt' }, async ({ folder: at, ...others }) => ({
      files: (await readdir(at)).sort(),
      found: JSON.parse(await readFile(join(at, 'found.json'), 'utf8')) as unknown,
      printed: await readFile(join(at, 'printed.txt'), 'utf8'),
      ...others,
    }));
    expect(left).toEqual({
      files: ['found.json', 'printed.txt'],
      found: {
        rules: [
          ['b.yml', 'title: A'],
          ['deep', ''],
          ['deep/er', ''],
          ['deep/er/a.yml', 'title: A'],
        ],
        environment: ['HOME', 'LANG', 'PATH', 'TMPDIR'],
        read: 'log.txt',
        startsInOutput: true,
      },
      printed: 'printed\n',
      exitCode: 3,
      isContainer: true,
      log: 'warned\n',
    });
    expect(await objects()).toBe(0);
    expect(await readdir(join(folder, 'outputs'))).toEqual([]);
  });

  it.skipIf(!hasGo)('end at their limits, with all that they have started', async () => {
    await expect(run('hang', { timeout: 1 })).rejects.toThrow('sigma-text did not finish within its limit of 1 s');
    await expect.poll(alive).toEqual([]);
    await expect(run('fill')).rejects.toThrow('sigma-text put out more than 1 MB');
    await expect.poll(alive).toEqual([]);
    expect(await objects()).toBe(0);
  });

  it.skipIf(!hasGo)('end when nobody wants them any more', async () => {
    const cancel = new AbortController();
    const running = run('hang', { signal: cancel.signal });
    await expect.poll(async () => (await alive()).length, { timeout: 60_000 }).toBe(2);
    cancel.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await ended();
    expect(await alive()).toEqual([]);
    expect(await objects()).toBe(0);
  });

  it.skipIf(!hasGo)('end by themselves when nobody renews their order', async () => {
    const order = {
      folder: volume(),
      files: [{ link: '', path: join(volume(), 'input'), is_archive: false }],
      args: [join(volume(), 'input'), '', ''],
      output: join(volume(), 'output'),
      seconds: 3600,
      max_input_bytes: 100,
      max_output_bytes: 1000,
      max_log_bytes: 1000,
      again: '',
      again_seconds: 1,
      lapse_seconds: 1,
    };
    let isThere = true;
    const store = await openStandIn(({ path }, response) => {
      if (path === '/log') return response.end('hang');
      if (!isThere) return response.writeHead(403).end();
      return response.end(JSON.stringify(order));
    });
    order.again = `${store.url}/order`;
    order.files[0]!.link = `${store.url}/log`;
    begun({ overrides: { containerOverrides: [{ environment: [{ value: order.again }] }] } });
    const orders = () => store.asked.filter(({ path }) => path === '/order').length;
    await expect.poll(async () => (await alive()).length === 2 && orders() > 2, { timeout: 60_000 }).toBe(true);
    isThere = false;
    await ended();
    expect([...tasks.values()].map(({ child }) => child.exitCode)).toEqual([75]);
    expect(await alive()).toEqual([]);
    store.close();
  });

  it.skipIf(!hasGo)('are the engine itself where there is no order', () => {
    const program = ['-e', 'console.log(process.argv.slice(1).join(), process.env.KEPT)', 'a', 'b'];
    const how = { env: { PATH: process.env['PATH'], KEPT: 'kept' }, encoding: 'utf8' } as const;
    const { stdout, status } = spawnSync(join(folder, 'entry'), [process.execPath, ...program], how);
    expect([stdout, status]).toEqual(['a,b kept\n', 0]);
  });
});

/** Ended, and nobody has asked how: it counts as gone. */
function isZombie(pid: number): boolean {
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('Z');
}
