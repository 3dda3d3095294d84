import type {
  DetectionEngine,
  EngineCatalog,
  EngineInput,
  EngineOutput,
  EngineRun,
} from '@svc/application/ports/detection-engine.ts';
import type { NewFinding } from '@svc/application/report/new-finding.ts';
import type { LogType, WorkflowTask } from '@svc/domain';

export function finding(over: Partial<NewFinding> = {}): NewFinding {
  return {
    ruleId: '0f06a3a5-0000-4000-8000-000000000001',
    ruleName: 'Encoded PowerShell Command Line',
    ruleAuthor: 'J. Doe',
    severity: 'high',
    count: 1,
    tags: ['attack.execution', 'attack.t1059.001'],
    firstSeen: '2026-08-01T10:15:00.5Z',
    lastSeen: '2026-08-01T10:15:00.75Z',
    hosts: ['ws1.example.org'],
    events: [storedEvent('1')],
    ruleSource: 'title: Encoded PowerShell Command Line\n',
    ...over,
  };
}

function storedEvent(recordId: string): NewFinding['events'][number] {
  return {
    recordId,
    timestamp: '2026-08-01T10:15:00.5Z',
    computer: 'ws1.example.org',
    channel: 'Microsoft-Windows-Sysmon/Operational',
    eventId: '1',
    fields: { Image: 'C:\\Windows\\System32\\cmd.exe', ProcessId: 4242 },
  };
}

export function output(over: Partial<EngineOutput> = {}): EngineOutput {
  const ruleSet = { name: 'core', version: 'abc', loaded: 30, rejected: 0, packs: [] };
  return { findings: [finding()], derived: null, raw: null, events: 12, warnings: [], ruleSet, log: '', ...over };
}

/** A catalog with these engines enabled. */
export function enginesOf(get: (name: string) => DetectionEngine | null): EngineCatalog {
  return { current: async () => ({ get: ({ tool }) => get(tool) }) };
}

/** A task of a workflow of which only its engine is said. */
export function taskOf(tool: string, over: Partial<WorkflowTask> = {}): WorkflowTask {
  return {
    tool,
    whenAvailable: false,
    packs: null,
    filters: { minLevel: null, statuses: [], logSources: [], tags: [], include: [], exclude: [] },
    rulesPaths: [],
    program: null,
    containerOptions: [],
    threads: 1,
    target: null,
    options: {},
    extraArgs: [],
    timeout: 300,
    maxFindingDetails: null,
    ...over,
  };
}

/** An engine that does what a test says. */
export class FakeEngine implements DetectionEngine {
  readonly name: string;
  isBuiltIn = true;
  readonly supportedTypes: ReadonlySet<LogType> | null;
  readonly usesRulePacks = false;
  readonly inputs: EngineInput[] = [];
  behave: (input: EngineInput, run: EngineRun) => Promise<EngineOutput> = async () => output();

  constructor(name = 'sigma-native', supportedTypes: ReadonlySet<LogType> | null = new Set(['evtx', 'json_evtx'])) {
    this.name = name;
    this.supportedTypes = supportedTypes;
  }

  run(input: EngineInput, run: EngineRun): Promise<EngineOutput> {
    this.inputs.push(input);
    return this.behave(input, run);
  }
}

/** Behaviour of an engine that works until it is told to stop. */
export function untilAborted(started?: () => void): FakeEngine['behave'] {
  return (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      started?.();
    });
}
