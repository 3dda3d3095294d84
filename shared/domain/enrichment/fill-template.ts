import type { EntityType } from '../entity.ts';
import type { EnrichmentContent } from './service.ts';

/** What templates are filled with. */
export interface Filling {
  readonly type: EntityType;
  readonly value: string;
  readonly token: string | null;
}

export interface FilledRequest {
  readonly url: string;
  readonly method: EnrichmentContent['apiMethod'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Headers that say where a request goes or how it is framed, and cookies. */
const droppedHeaders =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|proxy-.*|expect|cookie)$/i;

/** Those that may be sent. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !droppedHeaders.test(name)));
}

/** A link for people, or the address of a look-up; null for a value that would name a folder in it. */
export function filledUrl(template: string, filling: Filling): string | null {
  const value = askedValue(filling);
  // Encoding leaves these as they are, and the address would lead elsewhere.
  if (value === '.' || value === '..') return null;
  return filled(template, encodeURIComponent(value), encodeURIComponent(filling.token ?? ''));
}

/** The request that asks a service for an entity; null where it has no address for it. */
export function filledRequest(
  service: Pick<EnrichmentContent, 'apiBody' | 'apiHeaders' | 'apiMethod' | 'apiTemplate'>,
  filling: Filling,
): FilledRequest | null {
  const url = service.apiTemplate === null ? null : filledUrl(service.apiTemplate, filling);
  if (url === null) return null;
  const token = filling.token ?? '';
  const given = Object.entries(keptHeaders(service.apiHeaders)).map(([name, text]) => [
    name.toLowerCase(),
    text.replaceAll('{token}', () => token),
  ]);
  const headers: Record<string, string> = { accept: 'application/json', ...Object.fromEntries(given) };
  if (service.apiMethod === 'GET' || service.apiBody === null) return { url, method: service.apiMethod, headers };
  const isJson = bodyIsJson(service.apiBody);
  const value = askedValue(filling);
  return {
    url,
    method: 'POST',
    headers: { 'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded', ...headers },
    body: filled(service.apiBody, isJson ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value), ''),
  };
}

/** Whether a body is JSON, in which values are escaped as such; else it is fields of a form. */
export function bodyIsJson(body: string): boolean {
  return /^\s*[[{]/.test(body);
}

/** Hashes in lower case, which some services take alone; as text that can be encoded. */
function askedValue({ type, value }: Filling): string {
  const text = value.replace(/\p{Surrogate}/gu, '\uFFFD');
  return type === 'hash' ? text.toLowerCase() : text;
}

/** In one pass, so that nothing that is filled in is taken for a placeholder. */
function filled(template: string, value: string, token: string): string {
  return template.replace(/\{(value|token)\}/g, (_, name) => (name === 'value' ? value : token));
}
