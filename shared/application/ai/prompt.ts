import type { Actor, AiProvider, AiSubject } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import type { SentPrompt } from './sent-prompt.ts';

export { type Pseudonym } from './sent-prompt.ts';

/** What a model is asked. */
export interface Prompt extends SentPrompt {
  /** Of a case: the jobs that it was built from. */
  readonly sourceJobs: readonly number[];
}

/** What a prompt is about, for whom, and how. */
export interface PromptWish {
  readonly kind: AiSubject;
  readonly id: number;
  readonly provider: AiProvider;
  /** Whoever started the run: nothing that they do not see is in it. */
  readonly viewer: Actor;
}

/** Ports that a prompt is built with. */
export const promptPorts = [
  'caseContents',
  'cases',
  'deployment',
  'derivations',
  'findings',
  'jobViews',
  'seenBefore',
  'settings',
] as const;
export type PromptPorts = Pick<Ports, (typeof promptPorts)[number]>;

/** Text that comes in pieces, changed on its way; `flush` gives what was held back. */
export interface Restorer {
  push(delta: string): string;
  flush(): string;
}
