import type { PackOverride, RuleFilters } from '@svc/domain';

/** A place in a rule file and what is to be said of it. */
export interface RuleRemark {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A pack of rule files as it was read; nothing is compiled yet. */
export interface PackContent {
  /** SHA-256 over the files that count. */
  readonly digest: string;
  /** Those files, packed. */
  readonly files: Uint8Array;
  /** What the pack says of itself. */
  readonly name: string | null;
  readonly version: string | null;
  readonly licence: string | null;
  /** ISO date of the newest rule; null where none is dated. */
  readonly datedAt: string | null;
}

export interface CompiledPack {
  readonly artifact: Uint8Array;
  /** Rules and correlations in force. */
  readonly loaded: number;
  readonly rejected: readonly RuleRemark[];
  /** Left out, since their own status says that they are no longer to be used. */
  readonly retired: readonly RuleRemark[];
  readonly warnings: readonly RuleRemark[];
}

/** A compiled pack, and what was decided about its rules. */
export interface PackPart {
  readonly artifact: Uint8Array;
  readonly overrides: readonly PackOverride[];
}

/** What is to become of one rule of a pack. */
export interface PackRevision {
  /** Null to add one. */
  readonly id: string | null;
  /** Null to remove it. */
  readonly text: string | null;
}

export interface RevisedPack {
  /** Null where no rule is left. */
  readonly content: PackContent | null;
  /** The rule that was written, and the file that it is in. */
  readonly saved: { readonly id: string; readonly path: string } | null;
}

/** Reads and compiles rules, within limits of time and memory, without holding up anything else. */
export interface RuleCompiler {
  /** Differs between any two that might compile a rule differently: engine, values of placeholders. */
  identity(): Promise<string>;
  /** Reads a folder or an archive of this machine; rejects with a {@link RulePackRefused}. */
  read(path: string): Promise<PackContent>;
  /** Compiles the files of a pack; rejects with a {@link RulePackRefused}. */
  compile(files: Uint8Array): Promise<CompiledPack>;
  /**
   * The files of a pack, or of a new one, with one rule added, replaced or removed; null when there is no such
   * rule. Rejects with a {@link RulePackRefused}.
   */
  revise(files: Uint8Array | null, revision: PackRevision): Promise<RevisedPack | null>;
  /** One set of rules out of several; rejects with a {@link RulePackRefused}. */
  combine(parts: readonly PackPart[], filters: RuleFilters): Promise<Pick<CompiledPack, 'artifact' | 'loaded'>>;
}

/** Why a pack is not taken, in a sentence; the one before it stays in force. */
export class RulePackRefused extends Error {
  override readonly name = 'RulePackRefused';
}
