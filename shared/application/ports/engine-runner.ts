import type { EngineProgram, ExternalEngine } from '@svc/domain';

/** Where an engine sees what it is given: on this machine, in a container, or on a machine that was started for it. */
export interface EnginePlaces {
  /** The engine's own folder, with what it brings along. */
  readonly home: string;
  /** The log. */
  readonly input: string;
  /** Rule folders or files, in the order given. */
  readonly rules: readonly string[];
  /** Of `EngineCommand.config`. */
  readonly config: string | null;
  /** The one folder that it may write to, empty when it begins. */
  readonly output: string;
}

/** One run of an engine over one log. */
export interface EngineCommand {
  readonly engine: ExternalEngine;
  /** Null for where this runner looks by itself. */
  readonly program: EngineProgram | null;
  /** Its own folder where it is in an image. */
  readonly imageHome: string;
  /** Files and folders of this machine. */
  readonly input: string;
  /** What the engine sees the log as, since some go by the ending. */
  readonly inputName: string;
  readonly rules: readonly string[];
  readonly config: string | null;
  /** What a container gets mounted beside these, as `source:target[:mode]`. */
  readonly mounts: readonly string[];
  /** Where it is started. @default its home */
  readonly startsIn?: 'home' | 'output';
  /** What it is started with; no shell reads it. */
  args(places: EnginePlaces): readonly string[];
  /** File of the output folder that what it prints goes to; null where that is only for the log. */
  readonly printsTo: string | null;
  /** Seconds. */
  readonly timeout: number;
}

/** What is left of a run that came to its end by itself. */
export interface EngineLeft {
  /** Its output folder, on this machine. */
  readonly folder: string;
  /** Null where a signal ended it, as one without memory is. */
  readonly exitCode: number | null;
  readonly isContainer: boolean;
  /** What it printed, as far as that is kept. */
  readonly log: string;
}

/** What was found of an engine, or why nothing was, in a sentence. */
export type EngineFound =
  | {
      /** As it says itself; null where it does not. */
      readonly version: string | null;
      /** The program's path, or the image's name. */
      readonly at: string;
      /** Of an image. */
      readonly digest: string | null;
    }
  | { readonly missing: string };

/** Runs engines that are programs of others. */
export interface EngineRunner {
  /**
   * Runs an engine, and has `read` what it left, which is gone afterwards. Rejects with an `EngineUnavailable` where it
   * cannot be started here, with an `EngineFailure` where a limit ended it, and with the signal's reason.
   */
  run<T>(command: EngineCommand, signal: AbortSignal, read: (left: EngineLeft) => Promise<T>): Promise<T>;
  /** Looks for an engine without running it over anything. */
  find(engine: ExternalEngine, program: EngineProgram | null): Promise<EngineFound>;
  /**
   * Pulls or builds an image anew, whether one is here or not; `said` gets what is said meanwhile as it comes. Rejects
   * with an `EngineFailure` where that fails, and with the signal's reason.
   */
  prepare(
    program: Exclude<EngineProgram, { kind: 'path' }>,
    said: (text: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
}
