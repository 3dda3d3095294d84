import cf from 'cloudfront';
import { edgeHeaders, isApiRequest, isPage } from '@svc/contracts/routing.ts';

export interface ViewerRequest {
  readonly method: string;
  uri: string;
  querystring: object;
  readonly headers: Record<string, { value: string } | undefined>;
}

export interface ViewerEvent {
  readonly request: ViewerRequest;
  readonly context: { readonly requestId: string };
  readonly viewer: { readonly ip: string };
}

/** Put in when the function is compiled: the runtime knows no environment. */
declare const siteFiles: readonly string[];
/** Paths of the operations that take files, as regular expressions. */
declare const uploadPaths: RegExp;
declare const hasGateway: boolean;
declare const largestFunctionBody: number;

/**
 * Runs at CloudFront for every request but those for assets: picks who answers it, and says what only the
 * edge knows. The origin of the distribution's default behavior is the site's bucket.
 */
export function handler(event: ViewerEvent): object {
  const request = event.request;
  const path = request.uri;
  const isForApi = isApiRequest({ method: request.method, path, accept: valueOf(request, 'accept') });
  const isFile = siteFiles.indexOf(path) >= 0;
  if (!isForApi && (isFile || isPage(path))) {
    if (!isFile) request.uri = '/index.html';
    // Queries are the page's own; the bucket would take some as requests of its API.
    request.querystring = {};
    return request;
  }
  const isUpload = isForApi && takesFile(request);
  if (isUpload && !hasGateway && Number(valueOf(request, 'content-length')) > largestFunctionBody)
    return tooLarge(event);
  cf.selectRequestOriginById(isUpload && hasGateway ? 'gateway' : 'api');
  request.headers[edgeHeaders.address] = { value: event.viewer.ip };
  request.headers[edgeHeaders.host] = { value: valueOf(request, 'host') };
  request.headers[edgeHeaders.path] = { value: path };
  // API Gateway has no two routes of which one ends with a slash; the function sees the path as it was sent.
  if (path.startsWith('/taxii2/')) request.uri = path.replace(/\/$/, '');
  return request;
}

/** Whether a file comes with it; an upload that was sent before is named by fields. */
function takesFile(request: ViewerRequest): boolean {
  if (!uploadPaths.test(request.uri)) return false;
  const isForm = /^multipart\/form-data/i.test(valueOf(request, 'content-type'));
  return request.method === 'PUT' || (request.method === 'POST' && isForm);
}

function valueOf(request: ViewerRequest, name: string): string {
  const header = request.headers[name];
  return header ? header.value : '';
}

/** A problem as the API would word it, which never gets to see such a request. */
function tooLarge(event: ViewerEvent): object {
  const detail =
    'A form of more than 4 MiB cannot be taken here; reserve an upload with POST /api/v1/uploads and send the file to the address it answers';
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: { 'content-type': { value: 'application/json' }, 'cache-control': { value: 'no-store, private' } },
    body: JSON.stringify({ detail: detail, code: 'too_large', request_id: event.context.requestId }),
  };
}
