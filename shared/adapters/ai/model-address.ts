import type { ModelRequest } from '@svc/application/ports/model-client.ts';

const paths = { openai: '/chat/completions', anthropic: '/messages' } as const;

/** Where requests of the kind go (resolved-platform 18.2). */
export function addressOfModel({ baseUrl, kind }: Pick<ModelRequest, 'baseUrl' | 'kind'>): string {
  return baseUrl + paths[kind];
}
