import {
  AppError,
  bodyIsJson,
  enrichmentLimits,
  filledRequest,
  filledUrl,
  keptHeaders,
  vendorDomains,
  type EnrichmentContent,
} from '@svc/domain';
import { OutboundError } from '../../ports/outbound-http.ts';
import type { Ports } from '../../ports/ports.ts';

const isToken = /^[!#$%&'*+\-.^_`|~\w]+$/;
const isHeaderValue = /^[\u0020-\u007e]*$/;
const [one, another] = [
  { type: 'domain', value: 'one', token: 'first' },
  { type: 'domain', value: 'another', token: 'second' },
] as const;

/** What administrators say of a service as it is kept; throws `bad_request` with the reason why it cannot be so. */
export function checkedService({ outbound }: Pick<Ports, 'outbound'>, content: EnrichmentContent): EnrichmentContent {
  const { apiBody, apiTemplate, entityTypes, linkTemplate } = content;
  if (entityTypes.length === 0) throw refusal('entity_types', 'name one type at least');
  const headers = Object.entries(keptHeaders(content.apiHeaders));
  if (headers.length > enrichmentLimits.headers) throw refusal('api_headers', `at most ${enrichmentLimits.headers}`);
  for (const [name, value] of headers) {
    if (!isToken.test(name)) throw refusal('api_headers', `“${name.slice(0, 40)}” is no name of a header`);
    if (!isHeaderValue.test(value) || value.length > enrichmentLimits.headerValue) {
      throw refusal('api_headers', `the value of ${name} cannot be sent`);
    }
  }
  if (linkTemplate !== null) {
    if (linkTemplate.includes('{token}')) throw refusal('link_template', 'a link is for everybody, and has no {token}');
    checkedAddress('link_template', linkTemplate);
  }
  const checked = { ...content, entityTypes: [...new Set(entityTypes)], apiHeaders: Object.fromEntries(headers) };
  if (apiTemplate === null) return checked;
  const { hostname } = checkedAddress('api_template', apiTemplate);
  const domain = vendorDomainOf(content.providerKey);
  if (domain !== null && hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    throw refusal('api_template', `a service of the key ${content.providerKey} is asked at ${domain}`);
  }
  try {
    outbound.check('enrichment', filledUrl(apiTemplate, one)!);
  } catch (error) {
    if (error instanceof OutboundError) throw refusal('api_template', error.message);
    throw error;
  }
  if (apiBody !== null) checkBody(checked, apiBody);
  return checked;
}

function checkBody(content: EnrichmentContent, body: string): void {
  if (content.apiMethod !== 'POST') throw refusal('api_body', 'only a POST has one');
  if (body.includes('{token}')) throw refusal('api_body', 'the token goes into the address or a header');
  if (!bodyIsJson(body)) return;
  try {
    JSON.parse(filledRequest(content, one)!.body!);
  } catch {
    throw refusal('api_body', 'is no JSON');
  }
}

/** Whose host is the same whatever is filled in, and that nobody signs in to. */
function checkedAddress(field: string, template: string): URL {
  const [url, other] = [one, another].map((filling) => filledUrl(template, filling)!);
  if (!URL.canParse(url!) || !URL.canParse(other!)) throw refusal(field, 'must be an address, with http or https');
  const parsed = new URL(url!);
  if (!['http:', 'https:'].includes(parsed.protocol)) throw refusal(field, 'must begin with http:// or https://');
  if (parsed.username !== '' || parsed.password !== '') throw refusal(field, 'must not hold a name or password');
  if (parsed.origin !== new URL(other!).origin) throw refusal(field, 'only its path and query may hold placeholders');
  return parsed;
}

function vendorDomainOf(key: string): string | null {
  return Object.hasOwn(vendorDomains, key) ? vendorDomains[key as keyof typeof vendorDomains] : null;
}

function refusal(field: string, reason: string): AppError {
  return new AppError('bad_request', `${field}: ${reason}`);
}
