/** The part of a request that decides who answers it. */
export interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
}

const apiPrefixes = ['/api/', '/auth/', '/taxii2/', '/detect-preview', '/upload', '/uploads'];
const downloads = new Set(['/health', '/intel/ioc-feed']);

/**
 * Whether the API answers a request; otherwise the single-page application and its files do
 * (architecture 4). Used by the gateway and compiled into the edge's routing function.
 */
export function isApiRequest({ method, path, accept }: Addressed): boolean {
  if (path.startsWith('/assets/')) return false;
  if (method !== 'GET' && method !== 'HEAD') return true;
  if (path.endsWith('.json') || downloads.has(path)) return true;
  if (apiPrefixes.some((prefix) => path === prefix || path.startsWith(prefix))) return true;
  if (/^\/jobs\/\d+\/(download|export-raw)$/.test(path)) return true;
  return /^\/(jobs|intel|admin)(\/|$)/.test(path) && !accept.includes('text/html');
}
