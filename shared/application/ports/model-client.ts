import type { AiKind } from '@svc/domain';

/** What a model is asked, and where (resolved-platform 18.2). */
export interface ModelRequest {
  readonly kind: AiKind;
  /** Without the path of the kind. */
  readonly baseUrl: string;
  readonly model: string;
  readonly token: string | null;
  readonly system: string;
  readonly user: string;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  /** For everything, from the name of the host to the last word. */
  readonly timeoutSeconds: number;
}

/** What is heard while a model answers. */
export interface ModelListener {
  /** Has the connection closed, so that the provider stops writing; the question then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The head of the answer is there. */
  readonly opened?: (status: number) => void;
  readonly text: (delta: string) => void;
  /** What it costs so far, in tokens; what is not known yet is left out. */
  readonly usage?: (tokens: ModelUsage) => void;
}

export interface ModelUsage {
  readonly input?: number;
  readonly output?: number;
}

export interface ModelEnd {
  /** Whether it would have gone on without its limit of tokens. */
  readonly isCut: boolean;
}

/** Asks language models. */
export interface ModelClient {
  /** Where requests of the kind go. */
  addressOf(request: Pick<ModelRequest, 'baseUrl' | 'kind'>): string;
  /** Rejects with a {@link ModelError}, an `OutboundError`, or the reason of the listener's signal. */
  ask(request: ModelRequest, listener: ModelListener): Promise<ModelEnd>;
}

export type ModelFailure =
  | 'refused'
  | 'redirected'
  | 'provider_error'
  | 'output_limit'
  | 'no_text'
  | 'unreadable'
  | 'broken_off';

/** Why a model did not answer: in the service's words, with the provider's own of an error that it named. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelFailure;

  constructor(code: ModelFailure, message: string) {
    super(message);
    this.code = code;
  }
}
