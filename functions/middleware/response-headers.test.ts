import { expect, it } from 'vitest';
import { securityHeaders } from './response-headers.ts';

const headersOf = (
  contentSecurityPolicy: boolean,
  hstsSeconds: number | null,
  uploadOrigin: string | null = null,
): ReturnType<typeof securityHeaders> =>
  securityHeaders({ http: { contentSecurityPolicy, uploadOrigin, hstsSeconds } });

it('sends what resolved-platform 15.2 names', () => {
  expect(headersOf(true, null)).toEqual({
    'content-security-policy':
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "font-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  });
});

it('tells browsers to come by TLS for as long as the operator says, and drops the policy on demand', () => {
  const headers = headersOf(false, 3600);
  expect(headers['strict-transport-security']).toBe('max-age=3600; includeSubDomains');
  expect(headers).not.toHaveProperty('content-security-policy');
});

it('lets pages send files to the object store where they are to', () => {
  const policy = headersOf(true, null, 'https://logs.s3.eu-central-1.amazonaws.com')['content-security-policy'];
  expect(policy).toMatch(/; connect-src 'self' https:\/\/logs\.s3\.eu-central-1\.amazonaws\.com$/);
});
