import {
  ModelError,
  type ModelClient,
  type ModelEnd,
  type ModelListener,
  type ModelRequest,
} from '@svc/application/ports/model-client.ts';
import type { OutboundHttp, OutboundResponse } from '@svc/application/ports/outbound-http.ts';
import { createParser } from 'eventsource-parser';
import { addressOfModel } from './model-address.ts';
import { errorOf, ModelAnswer, read } from './model-answer.ts';

/** Of a refusal, in bytes: what it says is at its beginning. */
const longestRefusal = 65_536;

/** Asks models by HTTP, as OpenAI and Anthropic do, past the guard of outbound requests. */
export class HttpModelClient implements ModelClient {
  readonly #outbound: OutboundHttp;

  constructor(outbound: OutboundHttp) {
    this.#outbound = outbound;
  }

  addressOf = addressOfModel;

  ask(request: ModelRequest, listener: ModelListener): Promise<ModelEnd> {
    return this.#outbound.send(
      {
        purpose: 'ai',
        url: this.addressOf(request),
        method: 'POST',
        headers: headersOf(request),
        body: JSON.stringify(bodyOf(request)),
        timeoutMs: request.timeoutSeconds * 1000,
        ...(listener.signal && { signal: listener.signal }),
      },
      async (response) => {
        listener.opened?.(response.status);
        if (response.status < 200 || response.status > 299) throw await refusalOf(response, request.token);
        return heard(response, new ModelAnswer(listener, request.token));
      },
    );
  }
}

function headersOf({ kind, token }: ModelRequest): Record<string, string> {
  const common = { 'content-type': 'application/json', accept: 'text/event-stream, application/json' };
  if (kind === 'openai') return { ...common, ...(token !== null && { authorization: `Bearer ${token}` }) };
  return { ...common, 'anthropic-version': '2023-06-01', ...(token !== null && { 'x-api-key': token }) };
}

function bodyOf({ kind, model, system, user, temperature, maxOutputTokens }: ModelRequest): object {
  const common = { model, temperature, max_tokens: maxOutputTokens, stream: true };
  const asked = { role: 'user', content: user };
  if (kind === 'anthropic') return { ...common, system, messages: [asked] };
  const messages = [{ role: 'system', content: system }, asked];
  return { ...common, messages, stream_options: { include_usage: true } };
}

/** Frames until the one that is the last; an answer without any is JSON. */
async function heard({ body }: OutboundResponse, answer: ModelAnswer): Promise<ModelEnd> {
  // What is not UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder();
  let isStream = false;
  const unframed: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      isStream = true;
      answer.frame(data);
    },
    onComment: () => void (isStream = true),
  });
  for await (const chunk of body) {
    const piece = decoder.decode(chunk, { stream: true });
    if (!isStream) unframed.push(piece);
    parser.feed(piece);
    if (answer.isLast) return answer.end();
  }
  const rest = decoder.decode();
  if (!isStream) unframed.push(rest);
  // A last frame counts without the empty line after it, too.
  parser.feed(`${rest}\n\n`);
  if (!isStream) answer.whole(unframed.join(''));
  return answer.end();
}

async function refusalOf({ status, body }: OutboundResponse, token: string | null): Promise<ModelError> {
  if (status >= 300 && status < 400) {
    return new ModelError('redirected', `The provider answered ${status}: redirects are not followed`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > longestRefusal) break;
  }
  const said = errorOf(read(new TextDecoder().decode(Buffer.concat(chunks))) ?? {}, token);
  return new ModelError('refused', `The provider answered ${status}${said === null ? '' : `: ${said}`}`);
}
