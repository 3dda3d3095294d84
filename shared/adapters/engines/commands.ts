import type { EnginePlaces } from '@svc/application/ports/engine-runner.ts';
import { type ExternalEngine, type LogType, severities, type Severity, type WorkflowTask } from '@svc/domain';

/** An engine of others: what is its own of how it is found, started and read (detection-engine 5.3). */
export interface EngineFacts {
  /** What its program is called. */
  readonly programs: readonly string[];
  /** A file of its own folder, which is the nearest above the program that has it. */
  readonly landmark: string;
  /** Its folder in an image. */
  readonly imageHome: string;
  /** Arguments that make it say its version. */
  readonly version: readonly string[];
  /** What it leaves in the output folder. */
  readonly output: string;
  /** It prints its findings, into that file. */
  readonly prints: boolean;
  /** Rule folders that it takes at once. */
  readonly takesSeveralRules: boolean;
  /** Where it is started; what it makes for itself there goes with the run if that is the output folder. */
  readonly startsIn: 'home' | 'output';
  readonly args: (places: EnginePlaces, asked: Asked) => readonly string[];
}

/** What is asked of one run. */
export interface Asked {
  readonly task: WorkflowTask;
  readonly logType: LogType;
  /** The log is one JSON array, not lines. */
  readonly isArray: boolean;
}

const levelOf = ({ options }: WorkflowTask): Severity | null =>
  severities.find((severity) => severity === options['min_level']) ?? null;
const statusesOf = ({ options }: WorkflowTask): string[] =>
  [options['status'] ?? []].flat().filter((status) => typeof status === 'string');

/** A list of choices, each behind the same option. */
const each = (option: string, values: readonly string[]): string[] => values.flatMap((value) => [option, value]);

export const engineFacts: Readonly<Record<ExternalEngine, EngineFacts>> = {
  'evtx-timeline': {
    programs: ['hayabusa'],
    landmark: 'rules/config/exclude_rules.txt',
    imageHome: '/opt/hayabusa',
    version: ['help'],
    output: 'results.jsonl',
    prints: false,
    takesSeveralRules: false,
    startsIn: 'home',
    args: ({ input, output, rules, home }, { task }) => [
      'dfir-timeline',
      '-f',
      input,
      '-r',
      rules[0] ?? `${home}/rules`,
      '-t',
      'jsonl',
      '-o',
      `${output}/results.jsonl`,
      '-w',
      '-C',
      '-q',
      '-Q',
      '-K',
      '-N',
      '-b',
      '-O',
      '-a',
      '-A',
      '-p',
      'super-verbose',
      '--threads',
      String(task.threads),
      ...each('--min-level', levelOf(task) === null ? [] : [levelOf(task)!]),
      ...each('--include-status', statusesOf(task).length === 0 ? [] : [statusesOf(task).join(',')]),
    ],
  },
  'evtx-hunt': {
    programs: ['chainsaw'],
    landmark: 'mappings/sigma-event-logs-all.yml',
    imageHome: '/opt/chainsaw',
    version: ['--version'],
    // Printed, as the end of a file that it writes itself may be lacking.
    output: 'results.jsonl',
    prints: true,
    takesSeveralRules: true,
    startsIn: 'home',
    args: ({ input, rules, config, home }, { task }) => [
      '--num-threads',
      String(task.threads),
      'hunt',
      input,
      ...each('-s', rules),
      '-m',
      config ?? `${home}/mappings/sigma-event-logs-all.yml`,
      '--jsonl',
      '-q',
      '--skip-errors',
      ...each('--level', levelsFrom(levelOf(task))),
      ...each('--status', statusesOf(task)),
    ],
  },
  'sigma-multi': {
    programs: ['zircolite', 'zircolite.py'],
    landmark: 'config/config.yaml',
    imageHome: '/opt/zircolite',
    // It begins a log even then, in the folder that it is started in, which may not be ours to write to.
    version: ['--version', '-l', '/dev/null'],
    output: 'results.json',
    prints: false,
    takesSeveralRules: true,
    // Of logs of auditd, of XML and of Sysmon for Linux it makes a folder of its own there.
    startsIn: 'output',
    args: ({ input, rules, output, config, home }, { logType, isArray, task }) => [
      '-e',
      input,
      '-r',
      ...rules,
      '-o',
      `${output}/results.json`,
      '-c',
      config ?? `${home}/config/config.yaml`,
      '-q',
      '-l',
      `${output}/zircolite.log`,
      '--no-auto-mode',
      ...inputFlags(logType, isArray),
      ...(task.threads === 1 ? ['--no-parallel'] : ['--parallel-workers', String(task.threads)]),
    ],
  },
  'sigma-text': {
    programs: ['ChopChopGo', 'chopchopgo'],
    landmark: 'mappings/syslog.yml',
    imageHome: '/opt/chopchopgo',
    version: ['-version'],
    output: 'results.json',
    prints: true,
    takesSeveralRules: false,
    startsIn: 'home',
    args: ({ input, rules, config }, { logType, task }) => [
      '-target',
      task.target ?? (logType === 'auditd' ? 'auditd' : 'syslog'),
      '-rules',
      rules[0] ?? '',
      '-file',
      input,
      '-out',
      'json',
      ...each('-mapping', config === null ? [] : [config]),
    ],
  },
};

/** Chainsaw is told each level that it is to show, by names of its own. */
function levelsFrom(least: Severity | null): string[] {
  if (least === null) return [];
  const shown = severities.slice(0, severities.indexOf(least) + 1);
  return shown.map((severity) => (severity === 'informational' ? 'info' : severity));
}

/** What tells Zircolite the form of a log; event logs need nothing. */
function inputFlags(logType: LogType, isArray: boolean): string[] {
  switch (logType) {
    case 'json_evtx':
    case 'json_winlogbeat':
    case 'journald':
      return [isArray ? '--json-array-input' : '-j'];
    case 'xml_evtx':
      return ['-x'];
    case 'auditd':
      return ['-AU'];
    case 'sysmon_linux':
      return ['-S'];
    default:
      return [];
  }
}

/** Ending that engines expect of a file of each type. */
export function suffixOf(logType: LogType): string {
  const suffixes: Partial<Record<LogType, string>> = {
    evtx: '.evtx',
    json_evtx: '.json',
    json_winlogbeat: '.json',
    journald: '.json',
    xml_evtx: '.xml',
  };
  return suffixes[logType] ?? '.log';
}
