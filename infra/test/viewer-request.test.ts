import { edgeHeaders, isApiRequest, isPage } from '@svc/contracts';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { largestFunctionBody, viewerRequestCode } from '../edge/compile.ts';

interface Sent {
  readonly method?: string;
  readonly uri: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly origin: string;
  readonly result: {
    readonly uri?: string;
    readonly statusCode?: number;
    readonly body?: string;
    readonly querystring?: object;
    readonly headers: Record<string, { value: string } | undefined>;
  };
}

/** What runtime 2.0 of CloudFront Functions does not have, as its documentation lists what it has. */
const missing = ['Map', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'Symbol', 'Intl', 'BigInt', 'WebAssembly'];

/** Runs the compiled function as the edge does; the origin is that of the behavior unless the function picks one. */
function edge(options: { siteFiles?: string[]; hasGateway?: boolean } = {}): (sent: Sent) => Outcome {
  const { siteFiles = ['/favicon.svg'], hasGateway = false } = options;
  const code = viewerRequestCode({ siteFiles, hasGateway });
  expect(code).toMatch(/^import cf from ?"cloudfront";/);
  const state = { picked: 'site', event: {} as object };
  const context = createContext(
    Object.assign(state, { cf: { selectRequestOriginById: (id: string) => (state.picked = id) } }),
  );
  runInContext(`${missing.map((name) => `var ${name};`).join('')}${code.replace(/^import[^;]*;/, '')}`, context);
  return ({ method = 'GET', uri, headers = {} }) => {
    const values = Object.entries({ host: 'svc.example.org', ...headers }).map(([name, value]) => [name, { value }]);
    const request = { method, uri, querystring: { a: { value: 'b' } }, headers: Object.fromEntries(values) };
    Object.assign(state, {
      picked: 'site',
      event: { request, context: { requestId: 'r-1' }, viewer: { ip: '198.51.100.7' } },
    });
    const result = runInContext('handler(event)', context) as Outcome['result'];
    return { origin: state.picked, result };
  };
}

const paths = [
  '/',
  '/jobs',
  '/jobs/',
  '/jobs/7',
  '/jobs/7/download',
  '/jobs/7/export-raw',
  '/jobs/7/findings.json',
  '/jobsite',
  '/intel',
  '/intel/ioc-feed',
  '/intel/ioc-feed/misp/hashes.csv',
  '/intel/rules/export.yml',
  '/intel/cases/list.json',
  '/admin/users',
  '/administration',
  '/health',
  '/healthy',
  '/api/v1/jobs',
  '/api',
  '/auth/cookie/login',
  '/taxii2',
  '/taxii2/',
  '/upload',
  '/uploads',
  '/detect-preview',
  '/assets/index-1a2b.js',
  '/assets/x.json',
  '/favicon.svg',
  '/robots.txt',
  '/login',
  '/index.html',
  '/%2e%2e/etc/passwd',
  '/a b',
];
const accepts = ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json', '*/*', ''];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const requests = paths.flatMap((uri) =>
  methods.flatMap((method) => accepts.map((accept) => ({ uri, method, headers: { accept } }))),
);

describe('the edge’s function', () => {
  it('asks the API exactly where the rule of the gateway does', () => {
    const run = edge();
    for (const sent of requests) {
      const isApi = isApiRequest({ method: sent.method, path: sent.uri, accept: sent.headers.accept });
      const isSite = !isApi && (sent.uri === '/favicon.svg' || isPage(sent.uri));
      expect([sent, run(sent).origin]).toEqual([sent, isSite ? 'site' : 'api']);
    }
  });

  it('leaves out the last slash of what TAXII clients ask, and says that it was there', () => {
    const { origin, result } = edge()({ uri: '/taxii2/svc/collections/', headers: { accept: '*/*' } });
    expect([origin, result.uri]).toEqual(['api', '/taxii2/svc/collections']);
    expect(result.headers[edgeHeaders.path]).toEqual({ value: '/taxii2/svc/collections/' });
    expect(edge()({ uri: '/taxii2/' }).result.uri).toBe('/taxii2');
  });

  it('gives pages the shell, and files themselves, without queries', () => {
    const run = edge();
    const html = { accept: 'text/html' };
    for (const uri of ['/', '/jobs/7', '/login', '/index.html', '/admin/users']) {
      const { origin, result } = run({ uri, headers: html });
      expect([uri, origin, result.uri, result.querystring]).toEqual([uri, 'site', '/index.html', {}]);
    }
    expect(run({ uri: '/favicon.svg', headers: html }).result.uri).toBe('/favicon.svg');
    expect(run({ uri: '/other.svg', headers: html }).origin).toBe('api');
  });

  it('says who asks, for which host and path, whatever the client claims', () => {
    const claimed = { [edgeHeaders.address]: '203.0.113.1', [edgeHeaders.host]: 'evil', [edgeHeaders.path]: '/admin' };
    const { result } = edge()({ uri: '/jobs/a%20b', headers: { ...claimed, accept: 'application/json' } });
    expect(result.headers[edgeHeaders.address]).toEqual({ value: '198.51.100.7' });
    expect(result.headers[edgeHeaders.host]).toEqual({ value: 'svc.example.org' });
    expect(result.headers[edgeHeaders.path]).toEqual({ value: '/jobs/a%20b' });
    expect(result.querystring).toEqual({ a: { value: 'b' } });
  });

  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  it.each<[string, Sent, string]>([
    ['a form', { method: 'POST', uri: '/upload', headers: form }, 'gateway'],
    ['a form of an account', { method: 'POST', uri: '/api/v1/jobs', headers: form }, 'gateway'],
    ['bytes', { method: 'PUT', uri: '/api/uploads/abc' }, 'gateway'],
    [
      'an upload that was sent before',
      { method: 'POST', uri: '/api/v1/jobs', headers: { 'content-type': 'application/json' } },
      'api',
    ],
    ['a preview', { method: 'POST', uri: '/detect-preview', headers: form }, 'api'],
    ['a reservation', { method: 'POST', uri: '/uploads', headers: form }, 'api'],
    ['a question', { uri: '/api/v1/jobs', headers: { accept: 'application/json' } }, 'api'],
  ])('sends %s where it can be taken', (_, sent, origin) => {
    expect(edge({ hasGateway: true })(sent).origin).toBe(origin);
    expect(edge()(sent).origin).toBe('api');
  });

  it('refuses a form that no function can take, as the API would', () => {
    const of = (bytes: number, hasGateway = false): Outcome =>
      edge({ hasGateway })({ method: 'POST', uri: '/upload', headers: { ...form, 'content-length': String(bytes) } });
    expect(of(largestFunctionBody).origin).toBe('api');
    const { origin, result } = of(largestFunctionBody + 1);
    expect([origin, result.statusCode]).toEqual(['site', 413]);
    expect(JSON.parse(result.body!)).toMatchObject({
      code: 'too_large',
      request_id: 'r-1',
      detail: expect.stringContaining('/api/v1/uploads'),
    });
    expect(of(largestFunctionBody + 1, true).origin).toBe('gateway');
  });

  it('is no longer than CloudFront takes, and says so', () => {
    expect(Buffer.byteLength(viewerRequestCode({ siteFiles: ['/favicon.svg'], hasGateway: true }))).toBeLessThan(5000);
    const siteFiles = Array.from({ length: 500 }, (_, index) => `/a-file-of-the-site-${index}.svg`);
    expect(() => viewerRequestCode({ siteFiles, hasGateway: true })).toThrow('10240 bytes');
  });
});
