import { ModelError, type ModelEnd, type ModelListener, type ModelUsage } from '@svc/application/ports/model-client.ts';

/** Of what a provider says of an error, in characters. */
const longestError = 300;
const mostTokens = 1_000_000_000;
/** Why a model stopped that would have gone on. */
const cutReasons = new Set(['length', 'max_tokens']);

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an answer frame by frame, in either shape (resolved-platform 18.2): what is known of none is passed by. Nobody
 * vouches for what a provider sends.
 */
export class ModelAnswer {
  readonly #listener: ModelListener;
  readonly #hidden: string | null;
  #hasText = false;
  #isCut = false;
  /** A frame that could be read has come, and that which says that no other one will. */
  #isAnswer = false;
  #isDone = false;
  #isLast = false;

  /** @param token - never repeated, should the provider do so */
  constructor(listener: ModelListener, token: string | null) {
    this.#listener = listener;
    this.#hidden = token;
  }

  /** Whether the frame that is the last one has come. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** One frame of a stream. */
  frame(data: string): void {
    if (this.#isLast) return;
    if (data.trim() === '[DONE]') {
      this.#isAnswer = true;
      this.#isDone = true;
      this.#isLast = true;
      return;
    }
    const json = read(data);
    if (json !== null) this.#take(json);
  }

  /** All of an answer that is no stream. */
  whole(body: string): void {
    const json = read(body);
    if (json === null)
      throw new ModelError('unreadable', 'The provider answered with what is neither a stream nor JSON');
    this.#take(json);
    this.#isDone = true;
  }

  /** When nothing follows any more. */
  end(): ModelEnd {
    if (!this.#isAnswer) throw new ModelError('unreadable', 'The provider answered with nothing that is an answer');
    if (!this.#isDone) throw new ModelError('broken_off', 'The provider ended the answer before it was complete');
    if (this.#hasText) return { isCut: this.#isCut };
    if (!this.#isCut) throw new ModelError('no_text', 'The model answered with no text');
    throw new ModelError(
      'output_limit',
      'The model used up its output tokens before it wrote anything: raise the max output tokens of the provider',
    );
  }

  #take(json: Json): void {
    const problem = errorOf(json, this.#hidden);
    if (problem !== null) throw new ModelError('provider_error', `The provider reported an error: ${problem}`);
    const choice = object(list(json['choices'])[0]);
    const delta = object(json['delta']);
    const type = text(json['type']);
    if ('choices' in json || 'content' in json || type !== '') this.#isAnswer = true;
    this.#say(text(object(choice?.['delta'])?.['content']) || text(object(choice?.['message'])?.['content']));
    if (type === 'content_block_delta' && delta?.['type'] === 'text_delta') this.#say(text(delta['text']));
    for (const block of list(json['content'])) this.#say(text(object(block)?.['text']));
    this.#count(object(json['usage']));
    this.#count(object(object(json['message'])?.['usage']));
    const stop = text(choice?.['finish_reason']) || text(delta?.['stop_reason']) || text(json['stop_reason']);
    if (cutReasons.has(stop)) this.#isCut = true;
    this.#isLast = type === 'message_stop';
    // Its usage may follow a reason to stop; but whoever closes the connection then has said all.
    if (stop !== '' || this.#isLast) this.#isDone = true;
  }

  #say(delta: string): void {
    if (delta === '') return;
    this.#hasText = true;
    this.#listener.text(delta);
  }

  #count(usage: Json | null): void {
    if (usage === null) return;
    const input = tokens(usage['prompt_tokens'] ?? usage['input_tokens']);
    const output = tokens(usage['completion_tokens'] ?? usage['output_tokens']);
    const counted: ModelUsage = { ...(input !== null && { input }), ...(output !== null && { output }) };
    if (input !== null || output !== null) this.#listener.usage?.(counted);
  }
}

/** What a provider says of an error, without control characters and the token; null where it says none. */
export function errorOf(json: Json, token: string | null): string | null {
  const error = json['error'];
  if (error === undefined || error === null || error === false) return null;
  const said =
    text(error) || text(object(error)?.['message']) || text(object(error)?.['type']) || 'it did not say which';
  const hidden = token === null || token === '' ? said : said.replaceAll(token, '…');
  return hidden
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, longestError);
}

export function read(data: string): Json | null {
  try {
    return object(JSON.parse(data));
  } catch {
    return null;
  }
}

function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function tokens(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : null;
}
