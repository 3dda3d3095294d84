import { describe, expect, it } from 'vitest';
import type { HttpEvent } from './http-event.ts';
import { bodyFields, ordinaryBodyBytes } from './request-body.ts';

/** What a form says of a file with these bytes. */
async function read(bytes: readonly number[]): Promise<unknown> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(bytes)]), 'rules.yml');
  form.set('dry_run', '1');
  const sent = new Response(form);
  const headers = { 'content-type': sent.headers.get('content-type') };
  const body = Buffer.from(await sent.arrayBuffer()).toString('base64');
  return bodyFields({ headers, body, isBase64Encoded: true } as unknown as HttpEvent, ordinaryBodyBytes);
}

describe('a file among the fields of a form', () => {
  it('is its text', async () => {
    expect(await read([...Buffer.from('rules: []  # ä')])).toEqual({ file: 'rules: []  # ä', dry_run: '1' });
  });

  it('is refused when it is no text', async () => {
    await expect(read([0xff, 0xfe, 0x41])).rejects.toMatchObject({ code: 'bad_request' });
  });
});
