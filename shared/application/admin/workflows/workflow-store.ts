import type { LogType, WorkflowOrigin } from '@svc/domain';

/** What a workflow says; that it is the default, or switched off, is said of it. */
export interface WorkflowContent {
  readonly name: string;
  readonly description: string;
  readonly logTypes: readonly LogType[];
  /** YAML or JSON with the one top-level key `tasks`. */
  readonly definition: string;
}

export interface StoredWorkflow extends WorkflowContent {
  readonly id: number;
  readonly isDefault: boolean;
  readonly enabled: boolean;
  readonly origin: WorkflowOrigin;
  /** Its name in the shipped file that it comes from; null for one of the site's own. */
  readonly shippedAs: string | null;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  /** When what it says was last changed. */
  readonly updatedAt: Date;
}

export interface WorkflowUse {
  readonly jobs: number;
  readonly lastUsedAt: Date;
}

export type WorkflowChange = Partial<WorkflowContent> & {
  readonly isDefault?: boolean;
  readonly enabled?: boolean;
  readonly deletedAt?: Date | null;
  /** What it says is what its shipped file says. */
  readonly isAsShipped?: true;
};

/** Workflows as administrators change them (resolved-platform 2.1). */
export interface WorkflowStore {
  /** By name; those that were deleted, too. */
  all(): Promise<readonly StoredWorkflow[]>;
  /** Of those that jobs have used, by id. */
  uses(): Promise<ReadonlyMap<number, WorkflowUse>>;
  /** Null for one that was deleted, too. */
  get(id: number): Promise<StoredWorkflow | null>;
  /** The id of a new one; throws `conflict` for a name that is taken. */
  add(workflow: WorkflowContent & Pick<StoredWorkflow, 'isDefault' | 'enabled'>, at: Date): Promise<number>;
  /** Changes what is named; a default takes the place of the one before. Throws `conflict` as `add` does. */
  change(id: number, change: WorkflowChange, at: Date): Promise<void>;
}
