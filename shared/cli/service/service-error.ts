/** No answer came from the service. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether trying again is of no use. */
  readonly isFinal: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isFinal?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isFinal = options.isFinal ?? false;
  }
}

/** There is no token, or none that may be used; the message says what to do. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it does not answer',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https; is it http?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak https; is it http?',
};

/** What Node's fetch throws when there is no answer, as a sentence on the place it was sent to. */
export function connectionError(place: string, error: unknown): ConnectionError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code)) {
    const advice = 'If it is of your own authority, let NODE_EXTRA_CA_CERTS name a file with the authority’s';
    return new ConnectionError(`${place}: its certificate is not trusted (${code}). ${advice}`, {
      cause: error,
      isFinal: true,
    });
  }
  if (cause instanceof Error && cause.message === 'unexpected redirect') {
    return new ConnectionError(`${place}: it sends files elsewhere, which is not followed`, {
      cause: error,
      isFinal: true,
    });
  }
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const lost = `the connection was lost${code === '' ? '' : ` (${code})`}`;
  const sentence = sentences[code] ?? (timedOut ? 'it does not answer' : lost);
  return new ConnectionError(`${place}: ${sentence}`, { cause: error });
}
