import { isPage, privateHeaders } from '@svc/contracts';
import { requestIdOf } from '@svc/functions/middleware/request-id.ts';
import { open, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The built single-page application. */
export interface Site {
  /** Sends the file or page at the path; false when there is none, with nothing sent. */
  send(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const shell = '/index.html';

/**
 * The files below a folder as they are now: what is not on the list does not exist, so no path leads
 * out. Addresses without an extension are pages, and get the application's shell.
 * @param headers of every answer.
 */
export async function openSite(folder: string, headers: Readonly<Record<string, string>>): Promise<Site> {
  const files = await listFiles(folder);
  return {
    send: async (path, request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const name = files.has(path) ? path : isPage(path) ? shell : null;
      if (name === null) return false;
      for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
      if (!files.has(shell)) return sendNotBuilt(request, response);
      return sendFile(folder, files, name, request, response);
    },
  };
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`));
}

async function sendFile(
  folder: string,
  files: ReadonlySet<string>,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = encodings.find((each) => files.has(name + each.suffix) && accepts(accepted, each.name));
  const path = join(folder, name + (encoding?.suffix ?? ''));
  const file = await open(path).catch(() => null);
  if (!file) return false;
  const { size } = await stat(path);
  setHeaders(request, response, name);
  response.setHeader('content-length', size);
  if (encoding) response.setHeader('content-encoding', encoding.name);
  if (request.method === 'HEAD') {
    await file.close();
    response.end();
  } else {
    // A visitor who leaves in the middle is nobody's error.
    await pipeline(file.createReadStream(), response).catch(() => undefined);
  }
  return true;
}

function setHeaders(request: IncomingMessage, response: ServerResponse, name: string): void {
  const sent = request.headers['x-request-id'];
  const headers = {
    ...cachingOf(name),
    'x-request-id': requestIdOf(typeof sent === 'string' ? sent : undefined),
    'content-type': types[extname(name)] ?? 'application/octet-stream',
  };
  for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
}

function cachingOf(name: string): Record<string, string> {
  if (name === shell) return { ...privateHeaders, vary: `${privateHeaders.vary}, Accept-Encoding` };
  const lasting = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
  return { 'cache-control': lasting, vary: 'Accept-Encoding' };
}

/** Whether an `Accept-Encoding` header names the coding and does not rule it out by `q=0`. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((each) => {
    const [name, ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function sendNotBuilt(request: IncomingMessage, response: ServerResponse): true {
  setHeaders(request, response, shell);
  response.statusCode = 503;
  response.end(notBuilt);
  return true;
}

const notBuilt = `<!doctype html><html lang="en"><title>Interface not built</title>
<h1>The interface is not built</h1>
<p>The service itself is running. <code>npm start</code> builds its interface and starts it again; its HTTP API
answers meanwhile: <a href="/health">/health</a>.</p></html>
`;
