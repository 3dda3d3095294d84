import type {
  CompiledPack,
  PackContent,
  PackPart,
  PackRevision,
  RevisedPack,
} from '@svc/application/ports/rule-compiler.ts';
import type { RuleFilters } from '@svc/domain';

/** What the thread that compiles rules is asked; one thing at a time. */
export type RulesRequest =
  | { readonly read: string }
  | { readonly compile: Uint8Array }
  | { readonly revise: Uint8Array | null; readonly revision: PackRevision }
  | { readonly combine: readonly PackPart[]; readonly filters: RuleFilters };

/** Its answer; `refused` is a sentence about the pack, `failure` one about the thread. */
export type RulesReply =
  | { readonly done: PackContent | CompiledPack | RevisedPack | null | Pick<CompiledPack, 'artifact' | 'loaded'> }
  | { readonly refused: string }
  | { readonly failure: string };

export interface RulesThreadData {
  /** File with the values of placeholders in rules. */
  readonly placeholdersFile: string | undefined;
}
