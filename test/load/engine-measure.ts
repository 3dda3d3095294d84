import { existsSync, readFileSync } from 'node:fs';
import { readDeriveConfig } from '@svc/adapters/local/derive-config.ts';
import { reportingOf, unpackRules, type LogType } from '@svc/engine';
import { analyzeFile, fileSource } from '@svc/engine/node';
import { freshTables } from '@svc/engine/testing';
import type { LogEvent } from '../../shared/engine/events/log-event.ts';
import { forgetValues } from '../../shared/engine/part-analyzer.ts';
import { EvtxEvent } from '../../shared/engine/readers/evtx/evtx-event.ts';
import { EventJsonWriter } from '../../shared/engine/readers/evtx/render-json.ts';
import { readerFor } from '../../shared/engine/readers/readers.ts';

/**
 * What is done with a log: `visit` reads each record and looks at some fields, `json` writes each event
 * out, `rules` is the whole analysis, `report` that and all that a report and intel are made of.
 */
export type Work = 'visit' | 'json' | 'rules' | 'report';

export interface Order {
  readonly path: string;
  readonly logType: LogType;
  readonly work: Work;
  readonly threads: number;
  /** Compiled rules. */
  readonly rules: string;
  /** Passes after the first one, of which the best counts. */
  readonly passes: number;
}

export interface Pass {
  readonly wallMs: number;
  readonly cpuMs: number;
}

export interface Measured {
  readonly events: number;
  /** In a new process. */
  readonly first: Pass;
  /** Later, with emptied value caches (detection-engine 4.1); null with several threads, whose caches are their own. */
  readonly steady: Pass | null;
  /** Later, with all that the pass before left. */
  readonly again: Pass;
  /** Of a report, steady passes in turn with those above that look at matched events only; null for other work. */
  readonly withoutIntel: Pass | null;
  readonly maxResidentMb: number;
}

/** What a lazy visit asks of each record (detection-engine 4.1). */
const visited = [
  'Channel',
  'EventID',
  'Provider_Name',
  'Computer',
  'TimeCreated_SystemTime',
  'EventRecordID',
  'Image',
  'TargetUserName',
  'Data',
];
const batch = 65_536;
/** What a job keeps of its matched events at most, and what its report is made by. */
const maxRawBytes = 64 * 1024 * 1024;
const deriveFiles = {
  analyticsFields: 'config/analytics_fields.yaml',
  threatDetection: 'config/threat_detection.yaml',
};

/** One run over the log; returns its events. */
interface Task {
  readonly run: () => Promise<number>;
  readonly runWithoutIntel?: () => Promise<number>;
  readonly forget: () => void;
}

async function taskFor(order: Order): Promise<Task> {
  if (order.work === 'report') return report(order);
  return order.work === 'rules' ? analysis(order) : reading(order);
}

/** Measures one kind of work on one log; to be called once in a process. */
export async function measure(order: Order): Promise<Measured> {
  const task = await taskFor(order);
  let events = 0;
  const timed = async (run = task.run): Promise<Pass> => {
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    events = await run();
    const { user, system } = process.cpuUsage(cpu);
    return { wallMs: performance.now() - wall, cpuMs: (user + system) / 1000 };
  };
  const first = await timed();
  const steady: Pass[] = [];
  const again: Pass[] = [];
  const withoutIntel: Pass[] = [];
  for (let pass = 0; pass < order.passes; pass++) {
    if (order.threads === 1) {
      task.forget();
      steady.push(await timed());
    }
    if (task.runWithoutIntel !== undefined) {
      task.forget();
      withoutIntel.push(await timed(task.runWithoutIntel));
    }
    again.push(await timed());
  }
  return {
    events,
    first,
    steady: best(steady),
    again: best(again) ?? first,
    withoutIntel: best(withoutIntel),
    maxResidentMb: maxResidentMb(),
  };
}

/** Where Linux tells it: `maxRSS` begins with what the starting process had. */
function maxResidentMb(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) / 1024;
}

/** The least of each: what other processes take away says nothing of the engine. */
function best(passes: readonly Pass[]): Pass | null {
  if (passes.length === 0) return null;
  return {
    wallMs: Math.min(...passes.map(({ wallMs }) => wallMs)),
    cpuMs: Math.min(...passes.map(({ cpuMs }) => cpuMs)),
  };
}

function analysis({ path, logType, threads, rules: packed }: Order): Task {
  const rules = unpackRules(readFileSync(packed));
  return {
    run: async () => {
      const { events } = await analyzeFile(path, { rules, logType, threads, maxSamples: 10 });
      return events;
    },
    forget: () => forgetValues(rules),
  };
}

/** As a job does. */
async function report({ path, logType, threads, rules: packed }: Order): Promise<Task> {
  const rules = unpackRules(readFileSync(packed));
  const config = { ...(await readDeriveConfig(deriveFiles)), groups: reportingOf(rules).map(() => 'execution') };
  const run = async (intel: boolean): Promise<number> => {
    const derive = { ...config, intel };
    const options = { rules, logType, threads, maxSamples: 10, derive, raw: { maxBytes: maxRawBytes } };
    return (await analyzeFile(path, options)).events;
  };
  return { run: () => run(true), runWithoutIntel: () => run(false), forget: () => forgetValues(rules) };
}

function reading({ path, logType, work }: Order): Task {
  const read = readerFor(logType)!;
  const tables = freshTables();
  const fields = visited.map((name) => tables.fields.id(name));
  const writer = new EventJsonWriter();
  const visit = (event: LogEvent): void => {
    for (const field of fields) event.value(field);
  };
  const write = (event: LogEvent): void => {
    if (event instanceof EvtxEvent) writer.add(event);
    if (writer.length > batch) writer.take();
  };
  return {
    run: async () => {
      const source = await fileSource(path);
      const { records } = await read(source, tables, work === 'json' ? write : visit);
      await source.close();
      return records;
    },
    forget: () => tables.values.clear(),
  };
}
