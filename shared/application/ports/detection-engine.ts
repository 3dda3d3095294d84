import type { LogType, RuleSet, TacticGroup, WorkflowTask } from '@svc/domain';
import type { Derived, LogCensus, RawMatches } from '@svc/engine';
import type { NewFinding } from '../report/new-finding.ts';
import type { RuleCosts } from '../report/rule-costs.ts';

/** Rules that a task is to run, settled when its job begins: packs that change later do not change them. */
export interface ReadyRules {
  /** Of what they were made from: rules with the same one are the same. */
  readonly digest: string;
  readonly ruleSet: RuleSet;
  /** The compiled rules. */
  load(): Promise<Uint8Array>;
}

export interface EngineInput {
  /** The log, as a file of this machine. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly logType: LogType;
  /** Null for an engine that does not use rule packs. */
  readonly rules: ReadyRules | null;
  /** What the workflow says of it. */
  readonly task: WorkflowTask;
  /** Sample events kept per finding. */
  readonly maxFindingDetails: number;
  /** Bytes of matched events that are kept as they are. */
  readonly maxRawBytes: number;
}

export interface EngineRun {
  /** Aborted to cancel; the engine then rejects with its reason, one of ours within 200 ms, another within 5 s. */
  readonly signal: AbortSignal;
  readonly onProgress: (bytesDone: number) => void;
}

/** What an engine derived from matched events beside its findings, whose places in its output `alerts` name as rules. */
export interface DerivedOutput extends Derived {
  /** Tactic that each finding is shown under. */
  readonly tactics: readonly TacticGroup[];
  /** What is in the log, matched or not; not told by what is derived again from matched events. */
  readonly census?: LogCensus;
}

/** What of it the report shows, which can be made again of matched events alone. */
export type ReportOutput = Omit<DerivedOutput, 'intel'>;

/** What an engine made of a log. Damage in the log is a warning, not a failure. */
export interface EngineOutput {
  /** The engine whose results the file was, where it was not a log that this one has checked itself. */
  readonly engine?: string;
  readonly findings: readonly NewFinding[];
  /** Null from an engine that derives nothing. */
  readonly derived: DerivedOutput | null;
  /** The matched events themselves; null from an engine that does not give them. */
  readonly raw: RawMatches | null;
  /** Records read; null when the engine does not say. */
  readonly events: number | null;
  readonly warnings: readonly string[];
  /** Not all of the log was read, since it took more than it may; a warning says so. @default false */
  readonly isCutShort?: boolean;
  /** Null where no rules were run. */
  readonly ruleSet: RuleSet | null;
  /** Not told by an engine that does not measure its rules. */
  readonly ruleCosts?: RuleCosts | undefined;
  /** Diagnostics for administrators. */
  readonly log: string;
}

/** A program that checks logs against rules (resolved-platform 2.5). */
export interface DetectionEngine {
  readonly name: string;
  /** Comes with the service; another is a program that only workers of the heavy lane have. */
  readonly isBuiltIn: boolean;
  /** Null for every type. */
  readonly supportedTypes: ReadonlySet<LogType> | null;
  /** Whether it takes rules from rule packs: all that it has, or those of tasks that name no folders. */
  readonly usesRulePacks: boolean;
  /** Rejects with an `EngineFailure` whose text an administrator can act on, a `NothingRead` where that is why. */
  run(input: EngineInput, run: EngineRun): Promise<EngineOutput>;
}

/** The engines of this deployment. */
export interface EngineCatalog {
  /** As the site's settings stand now: a change by any process shows in the next call. */
  current(): Promise<EnabledEngines>;
}

/** Engines that are enabled, all at one moment. */
export interface EnabledEngines {
  /**
   * What runs a task: the built-in engine; another where the site has it enabled, or the task says itself where it is.
   * Whether its program is on this machine shows when it runs.
   */
  get(task: Pick<WorkflowTask, 'tool' | 'program'>): DetectionEngine | null;
}

/** The engine could not do its work: a crash, no memory, unreadable rules. The task has failed. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  /** Diagnostics for administrators. */
  readonly log: string;

  constructor(message: string, options: { cause?: unknown; log?: string } = {}) {
    super(message, { cause: options.cause });
    this.log = options.log ?? '';
  }
}

/** Nothing at all of the file could be read, whatever its type says: the task counts as one that cannot run. */
export class NothingRead extends EngineFailure {
  constructor(why: string) {
    super(`Nothing could be read. ${why}`);
  }
}

/** The engine is not on this machine, or cannot read this log: the task is skipped, for this reason. */
export class EngineUnavailable extends EngineFailure {}
