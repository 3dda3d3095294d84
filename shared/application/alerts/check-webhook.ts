import { alertRuleLimits, webhookMethods, type RuleWebhook, type WebhookTemplate } from '@svc/domain';
import { templateProblem } from './webhook-templates.ts';

/** A webhook as it was sent: headers as JSON text or as an object. */
export interface WebhookDraft {
  readonly url: string | null;
  readonly method: string;
  readonly headers: unknown;
  readonly enabled: boolean;
  /** @default the product's own body */
  readonly template?: WebhookTemplate | null;
}

export interface WebhookProblem {
  readonly code:
    | 'webhook_url_invalid'
    | 'webhook_method_invalid'
    | 'webhook_headers_invalid'
    | 'webhook_template_invalid';
  readonly message: string;
}

export interface CheckedWebhook {
  /** As it is kept; what of it has a problem is left out. */
  readonly webhook: RuleWebhook;
  /** In the order of url, method, headers and template. */
  readonly problems: readonly WebhookProblem[];
}

/** What says how a request is framed or where it goes, and what the service writes itself (resolved-intel 14.4). */
const refusedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const isToken = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** Without control characters but tabs, and in the letters that a header can have. */
const isHeaderValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * Whether a rule can tell a webhook so, by what can be known without asking anybody (resolved-intel 14.4).
 * @param checkUrl - throws the error of an address that is refused, as `outbound.check` of webhooks does
 */
export function checkWebhook(draft: WebhookDraft, checkUrl: (url: string) => void): CheckedWebhook {
  const url = draft.url?.trim() || null;
  const method = webhookMethods.find((known) => known === draft.method.trim().toUpperCase());
  const headers = readHeaders(draft.headers);
  const urlProblem = url === null ? null : problemOf(url, checkUrl);
  const problems: WebhookProblem[] = [];
  if (urlProblem !== null) problems.push({ code: 'webhook_url_invalid', message: urlProblem });
  if (method === undefined)
    problems.push({
      code: 'webhook_method_invalid',
      message: `The method must be one of ${webhookMethods.join(', ')}`,
    });
  if (typeof headers === 'string') problems.push({ code: 'webhook_headers_invalid', message: headers });
  const template = draft.template ?? null;
  const templateReason = template === null ? null : templateProblem(template);
  if (templateReason !== null) problems.push({ code: 'webhook_template_invalid', message: templateReason });
  return {
    webhook: {
      url: urlProblem === null ? url : null,
      method: method ?? 'POST',
      headers: typeof headers === 'string' ? {} : headers,
      enabled: url !== null && draft.enabled,
      template: templateReason === null ? template : null,
    },
    problems,
  };
}

function problemOf(url: string, checkUrl: (url: string) => void): string | null {
  if (url.length > alertRuleLimits.url)
    return `The address of the webhook has more than ${alertRuleLimits.url} characters`;
  try {
    checkUrl(url);
    return null;
  } catch (error) {
    return `The address of the webhook cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The headers, or why they cannot be sent. */
function readHeaders(sent: unknown): RuleWebhook['headers'] | string {
  const most = alertRuleLimits.headers;
  const text = typeof sent === 'string' ? sent.trim() : JSON.stringify(sent ?? {});
  if (text.length > most) return `The headers have more than ${most} characters`;
  const given = text === '' ? {} : parsed(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'The headers must be a JSON object';
  const names = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    const reason = headerProblem(name, value, names);
    if (reason !== null) return reason;
  }
  return given as RuleWebhook['headers'];
}

function headerProblem(name: string, value: unknown, names: Set<string>): string | null {
  const lower = name.toLowerCase();
  if (!isToken.test(name)) return `“${name}” is no name of a header`;
  if (refusedHeaders.has(lower) || lower.startsWith('proxy-')) return `The header “${name}” is not for rules to set`;
  if (names.has(lower)) return `The header “${name}” is there twice`;
  names.add(lower);
  if (typeof value !== 'string' && typeof value !== 'number') return `The header “${name}” must be text or a number`;
  return isHeaderValue.test(String(value)) ? null : `The header “${name}” has characters that no header can have`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
