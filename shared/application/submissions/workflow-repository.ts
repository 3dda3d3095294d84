import type { LogType, Workflow, WorkflowTask } from '@svc/domain';

/** A workflow file that ships with the product. */
export interface WorkflowSeed {
  readonly name: string;
  readonly description: string;
  readonly logTypes: readonly LogType[];
  readonly isDefault: boolean;
  /** YAML or JSON with the one top-level key `tasks`. */
  readonly definition: string;
}

export interface WorkflowRepository {
  /** Those that new jobs may use, ordered by name. */
  list(): Promise<readonly Workflow[]>;
  /** Null for one that is switched off or deleted, too. */
  get(id: number): Promise<Workflow | null>;
  /** Tasks of its definition in order, whether new jobs may use it or not; empty when it has none or cannot be read. */
  tasks(id: number): Promise<readonly WorkflowTask[]>;
  /** Adds what is missing and updates what nobody edited (resolved-platform 2.1). */
  seed(workflows: readonly WorkflowSeed[]): Promise<void>;
}
