import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { analyzeNext, submitLog } from '@svc/adapters/testing/submit-log.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { takeCorePack } from '@svc/application/rules/take-core-pack.ts';
import type { ExternalEngine } from '@svc/domain';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openEnginePorts, type EnginePorts } from '../support/engine-ports.ts';
import { describeWithEngine, programOf } from '../support/other-engines.ts';
import { sharedData } from '../support/shared-data.ts';

/** Of a machine that does much else. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const root = mkdtempSync(join(tmpdir(), 'svc-other-engines-'));
const sample = join(projectRoot(), 'config/samples/intrusion-sysmon.evtx');
let opened: EnginePorts | undefined;
let ports: Ports;

beforeAll(async () => {
  opened = await openEnginePorts(root);
  ({ ports } = opened);
  await takeCorePack(ports);
});
afterAll(async () => {
  await opened?.close();
  await rm(root, { recursive: true, force: true });
});

/** Matches by rule that a job of one task has in its report. */
async function reported(
  tool: ExternalEngine,
  program: string,
  log: string,
  keys = '',
): Promise<Record<string, number>> {
  const definition = `tasks: [{tool: ${tool}, tool_path: '${program}', timeout: 500${keys}}]`;
  await ports.workflows.seed([{ name: tool + keys, description: '', logTypes: [], isDefault: false, definition }]);
  const workflow = (await ports.workflows.list()).find(({ name }) => name === tool + keys)!;
  const content = readFileSync(log);
  const id = await submitLog(
    ports,
    { kind: 'anonymous', ip: '192.0.2.1' },
    { fileName: basename(log), content, workflow_id: workflow.id },
  );
  await analyzeNext(ports);
  const { job } = (await ports.jobs.get(id))!;
  expect(job).toMatchObject({ status: 'completed', errorMessage: null });
  const { findings } = await ports.findings.page(id, { severity: null, page: 1, per: 1000 });
  expect(await readdir(join(root, 'engine-runs'), { recursive: true })).not.toContainEqual(
    expect.stringMatching(/results/),
  );
  return counted(findings.map(({ ruleName, count }) => [ruleName, count]));
}

function counted(pairs: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of pairs) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

describeWithEngine('sigma-multi', 'Zircolite in a job', (engine) => {
  it('finds with the rules of the packs what its own output says', async () => {
    const folder = join(root, 'zircolite');
    await mkdir(folder);
    const found = await reported('sigma-multi', programOf(engine, folder), sample);
    // The rules as it has converted them for the job.
    const [set] = await readdir(join(root, 'engine-rules'));
    const rules = (await readdir(join(root, 'engine-rules', set!))).filter((name) => name.endsWith('.json'));
    const out = join(folder, 'own.json');
    const [program = '', ...before] = engine.command;
    const asked = ['-e', sample, '-r', ...rules.map((name) => join(root, 'engine-rules', set!, name)), '-o', out];
    const how = ['-c', join(engine.home, 'config/config.yaml'), '-q', '-l', join(folder, 'log'), '--no-auto-mode'];
    execFileSync(program, [...before, ...asked, ...how], { cwd: engine.home });
    const own = JSON.parse(readFileSync(out, 'utf8')) as { title: string; count: number }[];
    expect(found).toEqual(counted(own.map(({ title, count }) => [title, count])));
    expect(Object.keys(found).length).toBeGreaterThan(3);
  });
});

describeWithEngine('evtx-hunt', 'Chainsaw in a job', (engine) => {
  it('finds with the rules of the packs what its own output says', async () => {
    const folder = join(root, 'chainsaw');
    await mkdir(folder);
    const found = await reported('evtx-hunt', programOf(engine, folder), sample);
    const [set] = await readdir(join(root, 'engine-rules'));
    const [program = '', ...before] = engine.command;
    const asked = ['hunt', sample, '-s', join(root, 'engine-rules', set!, 'windows')];
    const how = ['-m', join(engine.home, 'mappings/sigma-event-logs-all.yml'), '--jsonl', '-q', '--skip-errors'];
    const printed = execFileSync(program, [...before, ...asked, ...how], { cwd: engine.home, maxBuffer: 2 ** 28 });
    const own = printed
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { name: string });
    expect(found).toEqual(counted(own.map(({ name }) => [name, 1])));
    expect(Object.keys(found).length).toBeGreaterThan(3);
  });
});

describeWithEngine('sigma-text', 'ChopChopGo in a job', (engine) => {
  it('finds with the rules of a folder what its own output says', async () => {
    const folder = join(root, 'chopchopgo');
    await mkdir(folder);
    const rules = sharedData('sigma-rules/rules/linux/auditd');
    const log = sharedData('logs/auditd/libaudit-audit-rhel7.log');
    const found = await reported('sigma-text', programOf(engine, folder), log, `, rules_path: '${rules}'`);
    const [program = '', ...before] = engine.command;
    const asked = ['-target', 'auditd', '-rules', rules, '-file', log, '-out', 'json'];
    const printed = execFileSync(program, [...before, ...asked], { cwd: engine.home, maxBuffer: 2 ** 28 }).toString();
    const own = (JSON.parse(printed) ?? []) as { Title: string }[];
    expect(found).toEqual(counted(own.map(({ Title }) => [Title, 1])));
    expect(own.length).toBeGreaterThan(0);
  });
});
