import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A record as the peer gives it out. */
export interface PeerRecord {
  readonly id: string;
  readonly xml: string;
  /** Numbers beyond 2^53 are texts in it. */
  readonly json: unknown;
}

/** A place of a log that the peer could not read. */
interface PeerError {
  readonly id: '';
  readonly error: string;
}

/** Prints each record that the evtx crate reads, as XML and as JSON, and what it could not read. */
const program = `
import sys, json, evtx
def all_of(records):
    while True:
        try:
            yield next(records)
        except StopIteration:
            return
        except Exception as error:
            yield str(error)
def exact(digits):
    return int(digits) if abs(int(digits)) < 2 ** 53 else digits
path = sys.argv[1]
xml = all_of(evtx.PyEvtxParser(path, number_of_threads=1).records())
jsons = all_of(evtx.PyEvtxParser(path, number_of_threads=1).records_json())
for x, j in zip(xml, jsons):
    bad = isinstance(x, str) or isinstance(j, str)
    print(json.dumps({'id': '', 'error': str(x)[:200]} if bad else {'id': str(x['event_record_id']), 'xml': x['data'], 'json': json.loads(j['data'], parse_int=exact)}))
`;

/** Version of the Python package evtx (pyevtx-rs) that python3 on the PATH has; undefined without one. */
export function peerVersion(): string | undefined {
  const done = spawnSync('python3', [
    '-c',
    'import evtx; from importlib.metadata import version; print(version("evtx"))',
  ]);
  return done.status === 0 ? done.stdout.toString().trim() : undefined;
}

/** The peer's records of a file, one by one, in its order. */
export async function* peerRecords(path: string): AsyncGenerator<PeerRecord | PeerError> {
  const python = spawn('python3', ['-c', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(python, 'exit');
  for await (const line of createInterface({ input: python.stdout, crlfDelay: Infinity })) {
    yield JSON.parse(line) as PeerRecord | PeerError;
  }
  const [code] = (await exit) as [number | null];
  if (code !== 0) throw new Error(`python3 ended with ${code} while reading ${path}`);
}
