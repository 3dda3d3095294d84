import type { AiKind } from '@svc/domain';

/** How people know the shapes in which models are asked. */
export const kindNames: Readonly<Record<AiKind, string>> = {
  openai: 'OpenAI-compatible',
  anthropic: 'Anthropic',
};
