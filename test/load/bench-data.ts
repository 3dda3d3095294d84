import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const shared = join(process.cwd(), '../shared/data');
const headerBytes = 4096;
const haveShared = existsSync(shared);

/** Unpacked copies of the benchmark files, or the shipped samples. */
export function benchLogs(): string[] {
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

/** The real event logs, or the shipped samples. */
export function evtxLogs(): string[] {
  return evtxIn(haveShared ? join(shared, 'evtx') : 'config/samples');
}

/** The SigmaHQ trees of the shared data, or the shipped rules. */
export function ruleFolders(): string[] {
  if (!haveShared) return ['config/sigma'];
  const trees = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'];
  return trees.map((tree) => join(shared, 'sigma-rules', tree));
}

/** Writes an event log of at least so many bytes, of the chunks of these again and again. */
export function writeLargeLog(path: string, logs: readonly string[], bytes: number): void {
  const contents = logs.map((log) => readFileSync(log));
  const file = openSync(path, 'w');
  let written = writeSync(file, contents[0]!, 0, headerBytes);
  for (let next = 0; written < bytes; next = (next + 1) % contents.length) {
    written += writeSync(file, contents[next]!, headerBytes);
  }
  closeSync(file);
}

function evtxIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.evtx'))
    .map((name) => join(folder, name));
}
