import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyze, loadRules } from '@svc/engine';
import { fileSource, readRuleFiles } from '@svc/engine/node';

const passes = 3;
const shared = join(process.cwd(), '../shared/data');
const haveShared = existsSync(shared);

/** Unpacked copies of the benchmark files, or the shipped samples. */
function logs(): string[] {
  if (process.argv.length > 2) return process.argv.slice(2);
  if (!haveShared) return evtxIn('config/samples');
  const unpacked = join(tmpdir(), 'svc-bench');
  mkdirSync(unpacked, { recursive: true });
  const packed = join(shared, 'evtx/bench');
  return readdirSync(packed)
    .filter((name) => name.endsWith('.evtx.gz'))
    .map((name) => {
      const path = join(unpacked, name.slice(0, -'.gz'.length));
      if (!existsSync(path)) writeFileSync(path, gunzipSync(readFileSync(join(packed, name))));
      return path;
    });
}

function evtxIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.evtx'))
    .map((name) => join(folder, name));
}

function line(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.join('  ')}\n`);
}

async function main(): Promise<void> {
  const trees = haveShared
    ? ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'].map((tree) =>
        join(shared, 'sigma-rules', tree),
      )
    : ['config/sigma'];
  line('machine', cpus()[0]?.model ?? 'unknown', `${cpus().length} cores`, `Node ${process.version}`);
  const files = await readRuleFiles(trees);
  const started = performance.now();
  const { rules, loaded, rejected } = loadRules(files);
  line('rules', `${loaded} loaded`, `${rejected.length} rejected`, `${seconds(started)} s`);
  for (const path of logs()) {
    for (let pass = 1; pass <= passes; pass++) {
      const source = await fileSource(path);
      const from = performance.now();
      const { events, findings } = await analyze(source, { rules, logType: 'auto', maxSamples: 10 });
      const took = (performance.now() - from) / 1000;
      await source.close();
      line(
        path.split('/').at(-1) ?? path,
        `pass ${pass}`,
        `${took.toFixed(2)} s`,
        `${(source.size / 1e6 / took).toFixed(1)} MB/s`,
        `${Math.round(events / took)} events/s`,
        `${findings.length} rules matched`,
        `${Math.round(process.memoryUsage.rss() / 1e6)} MB resident`,
      );
    }
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(2);
}

await main();
