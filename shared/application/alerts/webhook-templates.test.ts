import { describe, expect, it } from 'vitest';
import type { WebhookBody } from './webhook-body.ts';
import { renderWebhook, templateProblem } from './webhook-templates.ts';

const nasty = '"},{"x":"\\"\n<!channel> @everyone [a](http://b) **c** & {{rule.name}}';
const body: WebhookBody = {
  event: 'rule.match',
  rule: { id: 12, name: nasty, query: 'list:a', tag: null },
  job: { id: 42, status: 'completed', score_ratio: '3/3', url: 'https://svc.example/jobs/42' },
  match_count: 12,
  truncated: false,
  entities: Array.from({ length: 12 }, (_, at) => ({ id: at + 1, type: 'computer' as const, value: `${nasty}${at}` })),
  delivery_id: '2f3c1a10-0000-4000-8000-000000000001',
  sent_at: '2026-08-01T10:00:00Z',
};
type Json = Record<string, unknown>;
const rendered = (template: Parameters<typeof renderWebhook>[1]) => JSON.parse(renderWebhook(body, template)) as Json;

it('is the product’s own body without one', () => expect(rendered(null)).toEqual(body));

describe('a message of chat', () => {
  it('for Slack has values in plain text, and escapes what it must not take for markup', () => {
    const { text, blocks } = rendered({ kind: 'slack' }) as { text: string; blocks: Json[] };
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toMatch(/<[^>]/);
    expect(blocks[0]).toMatchObject({ type: 'section', text: { type: 'plain_text' } });
    expect(JSON.stringify(blocks[1])).toContain('and 2 more');
    expect(blocks[2]).toEqual({
      type: 'context',
      elements: [{ type: 'mrkdwn', text: '<https://svc.example/jobs/42|Open job 42>' }],
    });
  });

  it('for Teams is an Adaptive Card whose texts have no Markdown', () => {
    const { type, attachments } = rendered({ kind: 'teams' }) as { type: string; attachments: { content: Json }[] };
    expect(type).toBe('message');
    expect(attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        actions: [{ type: 'Action.OpenUrl', url: 'https://svc.example/jobs/42' }],
      },
    });
    const blocks = attachments[0]!.content['body'] as Json[];
    expect(new Set(blocks.map((block) => block['type']))).toEqual(new Set(['RichTextBlock']));
  });

  it('for Discord mentions nobody', () => {
    const { embeds, allowed_mentions: mentions } = rendered({ kind: 'discord' }) as {
      embeds: Json[];
      allowed_mentions: unknown;
    };
    expect(mentions).toEqual({ parse: [] });
    expect(embeds[0]).toMatchObject({ url: 'https://svc.example/jobs/42', timestamp: body.sent_at });
    expect(embeds[0]!['description']).toContain(String.raw`\*\*c\*\*`);
    expect(String(embeds[0]!['title']).length).toBeLessThanOrEqual(256);
  });
});

describe('a text of the rule’s own', () => {
  const custom = (json: unknown) =>
    ({ kind: 'custom', body: typeof json === 'string' ? json : JSON.stringify(json) }) as const;

  it('is filled in, and no value breaks out of its place', () => {
    const template = custom({
      alert: 'Rule {{ rule.name }} in {{job.url}}',
      n: '{{match_count}}',
      all: ['{{entities}}'],
      same: true,
    });
    expect(rendered(template)).toEqual({
      alert: `Rule ${nasty} in https://svc.example/jobs/42`,
      n: 12,
      all: [body.entities],
      same: true,
    });
    // What a value says is never filled in itself.
    expect(rendered(custom({ a: '{{rule.name}} {{rule.tag}}' }))['a']).toBe(`${nasty} `);
  });

  it.each([
    ['{', 'must be a JSON object or array'],
    ['"{{event}}"', 'must be a JSON object or array'],
    [{ a: '{{rule.secret}}' }, 'has {{rule.secret}}, which there is not'],
    [{ a: '{{constructor}}' }, 'has {{constructor}}, which there is not'],
    [{ '{{event}}': 1 }, 'placeholder in the name'],
    [{ a: 'x'.repeat(4000) }, 'more than 4000 characters'],
    [`${'['.repeat(20)}${']'.repeat(20)}`, 'levels deep'],
  ])('is refused: %j', (json, reason) => expect(templateProblem(custom(json))).toContain(reason));

  it('is taken, as those of chat are', () => {
    expect(templateProblem(custom({ a: ['{{text}}', { b: '{{ summary }}' }] }))).toBeNull();
    expect(templateProblem({ kind: 'slack' })).toBeNull();
  });
});
