import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { LogType } from '@svc/engine';
import { freshTables, sourceOf } from '@svc/engine/testing';
import type { EvtxEvent } from '../../shared/engine/readers/evtx/evtx-event.ts';
import { readEvtx } from '../../shared/engine/readers/evtx/evtx-reader.ts';
import { eventJson } from '../../shared/engine/readers/evtx/render-json.ts';
import { eventXml } from '../../shared/engine/readers/evtx/render-xml.ts';
import { benchLogs, writeLargeLog } from './bench-data.ts';
import { variation } from './variation.ts';

/** A log to measure with. */
export interface BenchInput {
  readonly kind: string;
  readonly path: string;
  readonly logType: LogType;
  /** What of it repeats: values met before cost less. */
  readonly repeats: string;
}

const shared = join(process.cwd(), '../shared/data');
const folder = join(tmpdir(), 'svc-bench');
const largeBytes = 500e6;

/** Kinds of text logs, and the samples that they are made of; the first line of some belongs to the top alone. */
const texts: readonly { kind: string; logType: LogType; samples: readonly string[]; header?: RegExp }[] = [
  { kind: 'auditd', logType: 'auditd', samples: ['auditd/centos9-audit.log', 'auditd/audit-enriched.log'] },
  {
    kind: 'syslog',
    logType: 'syslog',
    samples: [
      'syslog-rfc3164/rocky9-messages.log',
      'syslog-rfc3164/rocky9-secure.log',
      'syslog-rfc3164/loghub-openssh-2k.log',
    ],
  },
  { kind: 'access', logType: 'web_access', samples: ['web-access/elastic-apache-combined-2k.log'] },
  { kind: 'csv', logType: 'csv', samples: ['windows-csv/derived-evtxecmd-shape.csv'], header: /^[^\n]*\n/ },
  { kind: 'journald', logType: 'journald', samples: ['journald/rhel91-system.export'] },
  { kind: 'zeek', logType: 'zeek', samples: ['zeek-tsv/dns.log'], header: /^(?:#[^\n]*\n)+/ },
  { kind: 'cloudtrail', logType: 'cloud_audit', samples: ['cloudtrail/otrf-ec2-proxy-s3.ndjson'] },
];

/** The inputs of those kinds, of about so many bytes each where they have to be made; all kinds where none is named. */
export async function benchInputs(kinds: readonly string[], bytes: number): Promise<readonly BenchInput[]> {
  mkdirSync(folder, { recursive: true });
  const wanted = (kind: string): boolean => kinds.length === 0 || kinds.includes(kind);
  const inputs: BenchInput[] = [];
  const logs = eventLogs();
  for (const [kind, path] of logs) {
    if (wanted(kind)) inputs.push({ kind, path, logType: 'evtx', repeats: 'no chunk twice' });
  }
  const largest = logs[0]![1];
  if (wanted('large')) inputs.push(large(largest));
  if (wanted('xml')) inputs.push(await rendered('xml', 'xml_evtx', largest, bytes, eventXml));
  if (wanted('json')) inputs.push(await rendered('json', 'json_evtx', largest, bytes, eventJson));
  if (!existsSync(shared)) return inputs;
  for (const text of texts) if (wanted(text.kind)) inputs.push(varied(text, bytes));
  return inputs;
}

/** An event log of one chunk, as most are that anyone drops. */
export function smallEventLog(): string {
  const real = join(shared, 'evtx/security-4688-powersploit.evtx');
  return existsSync(real) ? real : 'config/samples/intrusion-powershell.evtx';
}

/** The benchmark's event logs by what they are named for, the largest first. */
function eventLogs(): readonly (readonly [kind: string, path: string])[] {
  const bySize = benchLogs().toSorted((one, other) => statSync(other).size - statSync(one).size);
  return bySize.map((path) => [basename(path, '.evtx').replace('intrusion-', ''), path]);
}

/** What the targets for large logs are of (detection-engine 4.4). */
function large(from: string): BenchInput {
  const path = join(folder, `${basename(from, '.evtx')}-large.evtx`);
  if (!existsSync(path) || statSync(path).size < largeBytes) writeLargeLog(path, [from], largeBytes);
  return { kind: 'large', path, logType: 'evtx', repeats: 'each chunk thirteen times' };
}

/** The records of an event log as text, from the first on. */
async function rendered(
  kind: string,
  logType: LogType,
  from: string,
  bytes: number,
  render: (event: EvtxEvent) => string,
): Promise<BenchInput> {
  const path = join(folder, `${basename(from, '.evtx')}-${bytes}.${kind}`);
  if (!existsSync(path)) {
    const file = openSync(path, 'w');
    let written = 0;
    await readEvtx(sourceOf(new Uint8Array(readFileSync(from))), freshTables(), (event) => {
      if (written < bytes) written += writeSync(file, `${render(event)}\n`);
    });
    closeSync(file);
  }
  return { kind, path, logType, repeats: 'no record twice' };
}

/** The samples of a kind one after another, each time with other numbers, addresses and names. */
function varied({ kind, logType, samples, header }: (typeof texts)[number], bytes: number): BenchInput {
  const path = join(folder, `${kind}-${bytes}.log`);
  const contents = samples.map((name) => readFileSync(join(shared, 'logs', name), 'latin1'));
  const top = header?.exec(contents[0]!)?.[0] ?? '';
  if (!existsSync(path) || statSync(path).size < bytes) {
    const file = openSync(path, 'w');
    let written = writeSync(file, top, null, 'latin1');
    for (let round = 0; written < bytes; round++) {
      for (const content of contents) {
        const body = header === undefined ? content : content.replace(header, '');
        written += writeSync(file, variation(ended(body), round, kind === 'journald'), null, 'latin1');
      }
    }
    closeSync(file);
  }
  return { kind, path, logType, repeats: 'lines vary in numbers, addresses and names' };
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
