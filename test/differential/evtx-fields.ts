import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type EvtxTexts, evtxTexts } from '@svc/engine/testing';
import { xmlTree } from '../support/xml-tree.ts';
import { explanationOf } from './evtx-explanations.ts';
import { type PeerRecord, peerRecords, peerVersion } from './evtx-peer.ts';
import { Comparison } from './evtx-trees.ts';

const shared = join(process.cwd(), '../shared/data');
const folders = ['evtx', 'evtx/bench', 'evtx-snapshots/samples', 'evtx-snapshots/windows-xml', 'sigma-regression'];
const mostExamples = 3;

/** Differences of one kind. */
interface Kind {
  count: number;
  readonly examples: string[];
}

/** Compares all logs that it is given with the peer's reading of them. */
class Run {
  readonly #kinds = new Map<string, Kind>();
  readonly #unexplained = new Map<string, Kind>();
  #files = 0;
  #records = 0;
  #values = 0;
  #peerErrors = 0;

  async file(path: string): Promise<void> {
    this.#files++;
    const ours = new Map<string, EvtxTexts[]>();
    for (const record of await evtxTexts(new Uint8Array(readFileSync(path)))) {
      ours.set(record.id, [...(ours.get(record.id) ?? []), record]);
    }
    for await (const theirs of peerRecords(path)) {
      const place = `${basename(path)} record ${theirs.id}`;
      const own = ours.get(theirs.id)?.shift();
      if ('error' in theirs) this.#peerErrors++;
      else if (own === undefined) note(this.#unexplained, 'a record that only the peer has', place);
      else this.#record(own, theirs, place);
    }
    const left = [...ours.values()].flat();
    for (const { id } of left) note(this.#kinds, 'record behind damage, which only we read', `${basename(path)} ${id}`);
  }

  /** Prints the figures; returns whether all is explained. */
  report(peer: string): boolean {
    const lines = [
      `peer: ${peer}`,
      `${this.#files} files, ${this.#records} records, ${this.#values} values compared; the peer gave up at ${this.#peerErrors} places`,
      ...listed('explained', this.#kinds),
      ...listed('NOT EXPLAINED', this.#unexplained),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return this.#unexplained.size === 0;
  }

  #record(ours: EvtxTexts, theirs: PeerRecord, place: string): void {
    this.#records++;
    const comparison = new Comparison();
    const tree = xmlTree(theirs.xml);
    comparison.xml(xmlTree(ours.xml), tree);
    comparison.json(JSON.parse(ours.json), theirs.json);
    comparison.fields(ours.fields, tree);
    this.#values += comparison.values;
    for (const difference of comparison.differences) {
      const explanation = explanationOf(difference);
      const { form, path, ours: own = 'nothing', theirs: other = 'nothing' } = difference;
      const example = `${place} ${path}: ${own.slice(0, 80)} | ${other.slice(0, 80)}`;
      if (explanation === undefined) note(this.#unexplained, `${form} ${path}`, example);
      else note(this.#kinds, explanation, example);
    }
  }
}

function note(kinds: Map<string, Kind>, name: string, example: string): void {
  const kind = kinds.get(name) ?? { count: 0, examples: [] };
  kinds.set(name, kind);
  kind.count++;
  if (kind.examples.length < mostExamples) kind.examples.push(example);
}

function listed(title: string, kinds: ReadonlyMap<string, Kind>): string[] {
  const sorted = [...kinds].sort(([, one], [, other]) => other.count - one.count);
  return sorted.flatMap(([name, { count, examples }]) => [
    `${title}: ${count} × ${name}`,
    ...examples.map((example) => `    ${example}`),
  ]);
}

/** The logs of the shared data, those that are packed unpacked into a folder. */
function logs(unpacked: string): readonly string[] {
  return folders.flatMap((folder) => {
    const path = join(shared, folder);
    const names = readdirSync(path, { recursive: folder === 'sigma-regression', encoding: 'utf8' });
    return names.sort().flatMap((name) => {
      if (name.endsWith('.evtx')) return join(path, name);
      if (!name.endsWith('.evtx.gz')) return [];
      const file = join(unpacked, name.slice(0, -'.gz'.length));
      writeFileSync(file, gunzipSync(readFileSync(join(path, name))));
      return file;
    });
  });
}

async function main(): Promise<void> {
  const version = peerVersion();
  if (version === undefined || !existsSync(shared)) {
    const missing =
      version === undefined ? 'no python3 with the package evtx on the PATH (pip install evtx)' : `no ${shared}`;
    process.stdout.write(`skipped: ${missing}\n`);
    return;
  }
  const run = new Run();
  const unpacked = mkdtempSync(join(tmpdir(), 'evtx-fields-'));
  try {
    for (const path of process.argv.length > 2 ? process.argv.slice(2) : logs(unpacked)) await run.file(path);
  } finally {
    rmSync(unpacked, { recursive: true });
  }
  if (!run.report(`pyevtx-rs ${version}`)) process.exitCode = 1;
}

await main();
