import { webhookLimits, type WebhookTemplate } from '@svc/domain';
import type { WebhookBody } from './webhook-body.ts';
import { webhookSummary, type WebhookSummary } from './webhook-summary.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** What of a body a text may name. The summary is a line for people; the text has what it is about below it. */
export const webhookPlaceholders = [
  'event',
  'rule.id',
  'rule.name',
  'rule.query',
  'rule.tag',
  'job.id',
  'job.status',
  'job.score_ratio',
  'job.url',
  'job.total_findings',
  'job.severity_summary',
  'match_count',
  'truncated',
  'entities',
  'events',
  'delivery_id',
  'sent_at',
  'summary',
  'text',
] as const;

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;
/** Bounds of Discord and Slack. */
const [longestTitle, longestText] = [250, 2900];
const deepest = 16;

/** What is sent: of the product's own body or, where the rule has a template, of that. */
export function renderWebhook(body: WebhookBody, template: WebhookTemplate | null): string {
  return JSON.stringify(template === null ? body : filled(body, template));
}

/** Why a template cannot be used; null when it can. */
export function templateProblem(template: WebhookTemplate): string | null {
  if (template.kind !== 'custom') return null;
  if (template.body.length > webhookLimits.template) {
    return `The body of the webhook has more than ${webhookLimits.template} characters`;
  }
  const read = parsed(template.body);
  if (typeof read !== 'object' || read === null) return 'The body of the webhook must be a JSON object or array';
  if (depthOf(read) > deepest) return `The body of the webhook is nested more than ${deepest} levels deep`;
  for (const text of textsOf(read)) {
    for (const [whole, name] of text.matchAll(placeholder)) {
      if (!isKnown(name)) return `The body of the webhook has ${whole}, which there is not`;
    }
  }
  const named = keysOf(read).find((key) => key.includes('{{'));
  return named === undefined ? null : `The body of the webhook has a placeholder in the name “${named}”`;
}

function filled(body: WebhookBody, template: WebhookTemplate): Json {
  const summary = webhookSummary(body);
  switch (template.kind) {
    case 'slack':
      return forSlack(body, summary);
    case 'teams':
      return forTeams(body, summary);
    case 'discord':
      return forDiscord(body, summary);
    case 'custom': {
      const values = { ...body, summary: summary.title, text: [summary.title, ...summary.lines].join('\n') };
      return fillIn(parsed(template.body) ?? null, values);
    }
  }
}

/** Plain text where Slack has it, so that no value is taken for a mention, a link or markup. */
function forSlack({ job }: WebhookBody, { title, lines }: WebhookSummary): Json {
  const text = (value: string): Json => ({ type: 'plain_text', text: cut(value, longestText), emoji: false });
  const url = linkOf(job.url);
  return {
    text: escapedForSlack(cut(title, longestTitle)),
    blocks: [
      { type: 'section', text: text(title) },
      ...(lines.length > 0 ? [{ type: 'section', text: text(lines.join('\n')) }] : []),
      ...(url ? [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<${url}|Open job ${job.id}>` }] }] : []),
    ],
  };
}

/** What Slack gives a meaning to, wherever it stands. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An Adaptive Card, as the workflow "When a Teams webhook request is received" posts it; runs of text have no Markdown. */
function forTeams({ job }: WebhookBody, { title, lines }: WebhookSummary): Json {
  const block = (text: string, how: { readonly [key: string]: Json } = {}): Json => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: cut(text, longestText), ...how }],
  });
  const url = linkOf(job.url);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(title, { weight: 'Bolder', size: 'Medium' }),
            ...lines.map((line) => block(line, { fontType: 'Monospace' })),
          ],
          actions: url ? [{ type: 'Action.OpenUrl', title: `Open job ${job.id}`, url }] : [],
        },
      },
    ],
  };
}

/** Nobody is mentioned, whatever a value says. */
function forDiscord({ job, sent_at: at }: WebhookBody, { title, lines }: WebhookSummary): Json {
  const url = linkOf(job.url);
  return {
    embeds: [
      {
        title: cut(escapedForDiscord(title), longestTitle),
        description: cut(lines.map((line) => escapedForDiscord(line)).join('\n'), longestText),
        timestamp: at,
        ...(url && { url }),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function escapedForDiscord(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`);
}

/** Services of chat refuse links without a host. */
function linkOf(url: string | null): string | null {
  return url !== null && /^https?:/.test(url) ? url : null;
}

/** Each text by itself, so that whatever a value says, it stays within it. A text that is one placeholder becomes its value. */
function fillIn(template: Json, values: object): Json {
  if (typeof template === 'string') {
    const [, only] = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(template) ?? [];
    if (only !== undefined) return valueOf(values, only);
    return template.replaceAll(placeholder, (_, name: string) => textOf(valueOf(values, name)));
  }
  if (typeof template !== 'object' || template === null) return template;
  if (isArray(template)) return template.map((one) => fillIn(one, values));
  return Object.fromEntries(Object.entries(template).map(([key, one]) => [key, fillIn(one, values)]));
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function valueOf(values: object, name: string): Json {
  if (!isKnown(name)) return null;
  const found = name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], values);
  // The cast is safe: a body is JSON.
  return (found ?? null) as Json;
}

function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isKnown(name: string | undefined): boolean {
  return (webhookPlaceholders as readonly (string | undefined)[]).includes(name);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function childrenOf(value: Json): readonly Json[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function textsOf(value: Json): string[] {
  return typeof value === 'string' ? [value] : childrenOf(value).flatMap((one) => textsOf(one));
}

function keysOf(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isArray(value) ? [] : Object.keys(value)), ...childrenOf(value).flatMap((one) => keysOf(one))];
}

function depthOf(value: Json): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...childrenOf(value).map((one) => depthOf(one)))
    : 0;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
