/** What the operator decided about the headers below. */
export interface HeaderChoices {
  readonly contentSecurityPolicy: boolean;
  /** Origin of the object store, where browsers send files to it by themselves; else null. */
  readonly uploadOrigin: string | null;
  /** Seconds for which browsers are told to come by TLS only; null to tell them nothing. */
  readonly hstsSeconds: number | null;
}

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "frame-ancestors 'self'",
].join('; ');

function policyFor(uploadOrigin: string | null): string {
  return uploadOrigin === null ? contentSecurityPolicy : `${contentSecurityPolicy}; connect-src 'self' ${uploadOrigin}`;
}

/** On everything that the service sends, whoever sends it (resolved-platform 15.2). */
export function securityHeadersFor(choices: HeaderChoices): Readonly<Record<string, string>> {
  return {
    ...(choices.contentSecurityPolicy && { 'content-security-policy': policyFor(choices.uploadOrigin) }),
    ...(choices.hstsSeconds !== null && {
      'strict-transport-security': `max-age=${choices.hstsSeconds}; includeSubDomains`,
    }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  };
}

/** On everything but static files: pages and data share addresses and depend on who asks. */
export const privateHeaders = { 'cache-control': 'no-store, private', vary: 'Cookie, Accept' } as const;
