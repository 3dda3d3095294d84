import { randomBytes } from 'node:crypto';

/** Of a hand-made form, whose boundary is `frontier`. */
export const formType = 'multipart/form-data; boundary=frontier';
export const formEnd = Buffer.from('--frontier--\r\n');

/** A part of a form; `head` is what follows `form-data`. */
export function part(head: string, content: Uint8Array | string): Buffer {
  const opening = `--frontier\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  return Buffer.concat([Buffer.from(opening), Buffer.from(content), Buffer.from('\r\n')]);
}

export const field = (name: string, value: string): Buffer => part(`name="${name}"`, value);
export const filePart = (content: Uint8Array, name = 'x.evtx'): Buffer =>
  part(`name="file"; filename="${name}"`, content);

/** Looks like an event log, and is like no other. */
export const evtx = (size = 1000): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.from('ElfFile\0'), randomBytes(size - 8)]);

/** A form with one file of this size for a workflow. */
export const uploadForm = (workflow: string, size = 1000): Buffer =>
  Buffer.concat([field('workflow_id', workflow), filePart(evtx(size)), formEnd]);
