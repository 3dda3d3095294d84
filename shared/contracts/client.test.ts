import { describe, expect, it } from 'vitest';
import { call, problemOf, RequestError } from './client.ts';
import { operations } from './operations.ts';

const refusal = (headers: Record<string, string>) =>
  new Response(JSON.stringify({ detail: 'Busy.', code: 'rate_limited', request_id: 'r1' }), { status: 429, headers });

describe('problemOf', () => {
  it('says when to come back, as seconds or as a date had it', async () => {
    expect((await problemOf(refusal({ 'retry-after': '60' }))).retryAfter).toBe(60);
    const date = new Date(Date.now() + 90_000).toUTCString();
    expect((await problemOf(refusal({ 'retry-after': date }))).retryAfter).toBeGreaterThan(80);
    expect((await problemOf(refusal({ 'retry-after': new Date(0).toUTCString() }))).retryAfter).toBe(0);
    expect((await problemOf(refusal({ 'retry-after': 'soon' }))).retryAfter).toBeNull();
    expect((await problemOf(refusal({}))).retryAfter).toBeNull();
  });
});

describe('call', () => {
  it('sends by the fetch and with the headers that it is given', async () => {
    const sent: [string, RequestInit][] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      sent.push([url, init]);
      return Response.json({ workflows: [] });
    };
    const options = { baseUrl: 'https://svc.example.org', headers: { authorization: 'Bearer x' }, fetch };
    expect(await call(operations.listWorkflows, {}, options)).toEqual({ workflows: [] });
    expect(sent).toMatchObject([
      ['https://svc.example.org/api/v1/workflows', { method: 'GET', headers: { authorization: 'Bearer x' } }],
    ]);
  });

  it('throws what the service refuses with', async () => {
    const fetch = async (): Promise<Response> => refusal({ 'retry-after': '60' });
    await expect(call(operations.listWorkflows, {}, { fetch })).rejects.toThrow(RequestError);
  });
});
