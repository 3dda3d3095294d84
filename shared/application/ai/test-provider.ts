import type { InputOf, operations, OutputOf } from '@svc/contracts';
import { notFound, type Actor } from '@svc/domain';
import { ModelError } from '../ports/model-client.ts';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import { NotBegun, requestOf, tokenOf } from './begin-run.ts';

export type TestProviderPorts = Pick<Ports, 'aiProviders' | 'log' | 'models' | 'secretBox'>;

/** Below what an answer may take on its way to the browser. */
const longestSeconds = 20;
const longestText = 200;
/** Enough for one word of a model that thinks first. */
const mostTokens = 256;

/** Has a model say one word, from the process that is asked. */
export async function testAiProvider(
  ports: TestProviderPorts,
  _actor: Actor,
  { id }: InputOf<typeof operations.testAiProvider>,
): Promise<OutputOf<typeof operations.testAiProvider>> {
  const provider = await ports.aiProviders.get(id);
  if (provider === null) throw notFound('AI provider');
  // A model that writes more than one word has answered.
  const enough = new AbortController();
  let text = '';
  const heard = (delta: string): void => {
    text += delta;
    if (text.length > longestText) enough.abort();
  };
  const startedAt = performance.now();
  const took = (): number => Math.round(performance.now() - startedAt);
  try {
    const asked = { system: 'You answer with one word.', user: 'Answer with the word: ready' };
    const request = requestOf(provider, asked, await tokenOf(ports, provider));
    const timeoutSeconds = Math.min(longestSeconds, request.timeoutSeconds);
    const maxOutputTokens = Math.min(mostTokens, request.maxOutputTokens);
    await ports.models
      .ask({ ...request, timeoutSeconds, maxOutputTokens }, { signal: enough.signal, text: heard })
      .catch((error: unknown) => {
        if (!enough.signal.aborted) throw error;
      });
    return { ok: true, latency_ms: took(), text: text.trim().slice(0, longestText) };
  } catch (error) {
    const isKnown = error instanceof ModelError || error instanceof OutboundError || error instanceof NotBegun;
    if (!isKnown) ports.log.error('a test of an ai provider failed', { provider_id: id, error });
    const said = isKnown ? error.message : `The test failed (${error instanceof Error ? error.name : 'unknown'})`;
    return { ok: false, latency_ms: took(), error: said };
  }
}
