import type { ShippedRules } from '../alerts/shipped-rules.ts';
import type { WorkflowSeed } from '../submissions/workflow-repository.ts';

export interface Sample {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fileName: string;
  readonly sizeBytes: number;
}

/** What comes with the product: workflows, rules, and logs for a first look. */
export interface ShippedContent {
  /** In order of their file names; a file that does not parse is a problem, and the rest load. */
  workflows(): Promise<{ workflows: readonly WorkflowSeed[]; problems: readonly string[] }>;
  alertRules(): Promise<ShippedRules>;
  /** Folder of this machine with the rules of the core pack; null where they are not beside the program. */
  corePack(): string | null;
  samples(): Promise<readonly Sample[]>;
  /** Content of a listed sample. */
  readSample(name: string): AsyncIterable<Uint8Array>;
}
