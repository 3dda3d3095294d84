/** The part of a request that decides who answers it. */
export interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
}

// Compiled into the edge's function too, whose runtime has no sets and takes no parameters apart:
// infra/test/viewer-request.test.ts says what it lacks.
const apiPrefixes = ['/api/', '/auth/', '/taxii2/', '/intel/ioc-feed/', '/detect-preview', '/upload', '/uploads'];

/**
 * Whether the API answers a request; otherwise the single-page application and its files do
 * (architecture 4). Used by the gateway and compiled into the edge's routing function.
 */
export function isApiRequest(request: Addressed): boolean {
  const path = request.path;
  if (path.startsWith('/assets/')) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return true;
  if (path.endsWith('.json') || ['/health', '/metrics', '/intel/ioc-feed', '/taxii2'].includes(path)) return true;
  if (apiPrefixes.some((prefix) => path === prefix || path.startsWith(prefix))) return true;
  // A browser asks for a file in a link as it asks for a page, unless it is Chromium.
  if (/^\/jobs\/\d+\/(download|export-raw|mitre-layer)$/.test(path)) return true;
  if (/^\/intel\/((entities|cases)\/\d+\/(ioc-pack|misp|mitre-layer|stix)|mitre-layer)$/.test(path)) return true;
  if (!/^\/(jobs|batches|comments|notifications|intel|admin)(\/|$)/.test(path)) return false;
  return path.includes('.') || !request.accept.includes('text/html');
}

/** Whether a path that is not the API’s is a page of the application, rather than one of its files. */
export function isPage(path: string): boolean {
  return path === '/index.html' || (!path.startsWith('/assets/') && !/[.\\]|%(2e|5c)/i.test(path));
}

/**
 * Headers by which the edge says what only it knows; to be believed of a request with the right key alone. No
 * `x-forwarded-…`, which API Gateway and load balancers write themselves.
 */
export const edgeHeaders = {
  /** EDGE_KEY; CloudFront refuses names that begin with `x-edge-`. */
  key: 'x-origin-key',
  /** Address of the client, without a port. */
  address: 'x-viewer-address',
  /** Host that the client asked for. */
  host: 'x-viewer-host',
  /** Path as the client wrote it: HTTP APIs decode it before functions see it. */
  path: 'x-viewer-path',
} as const;
