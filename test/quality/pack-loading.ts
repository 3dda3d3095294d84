import { analyze, loadRules, packRules, unpackRules } from '@svc/engine';
import { readRuleFiles } from '@svc/engine/node';
import { sourceOf } from '@svc/engine/testing';
import { gzipSync } from 'node:zlib';

const times = 9;
const event = new TextEncoder().encode('{"EventID":4688,"Channel":"Security","NewProcessName":"C:\\\\a.exe"}\n');

/** What compiled rules weigh and take to be ready, beside their YAML: one line. */
export async function loadingOf(name: string, folder: string): Promise<string> {
  const files = await readRuleFiles([folder]);
  const compiling = await cpu(() => loadRules(files));
  const artifact = packRules(compiling.result.rules);
  const loading: number[] = [];
  const first: number[] = [];
  for (let at = 0; at < times; at++) {
    // A copy, as nothing of an earlier turn is to help.
    const bytes = artifact.slice();
    const loaded = await cpu(() => unpackRules(bytes));
    loading.push(loaded.ms);
    const options = { rules: loaded.result, logType: 'auto', maxSamples: 1 } as const;
    first.push((await cpu(() => analyze(sourceOf(event), options))).ms);
  }
  const weight = `${megabytes(artifact.length)} MB (${megabytes(gzipSync(artifact).length)} MB gzipped)`;
  const spent = `loaded in ${range(loading)} ms, with the first event in ${range(first)} ms more`;
  return `${name}: ${compiling.result.loaded} rules, ${weight}, ${spent}; their YAML in ${Math.round(compiling.ms)} ms`;
}

/** Of the processor, since others may use it meanwhile. */
async function cpu<T>(run: () => T | Promise<T>): Promise<{ result: T; ms: number }> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

/** The middle one and the worst. */
function range(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${sorted[(times - 1) / 2]!.toFixed(1)} to ${sorted.at(-1)!.toFixed(1)}`;
}
