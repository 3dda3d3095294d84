import { describe, expect, it } from 'vitest';
import { notLog } from './not-log.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('notLog', () => {
  it.each([
    ['\u0089PNG\r\n\u001a\n', 'a picture (PNG)'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a picture (WebP)'],
    ['%PDF-1.7', 'a document (PDF)'],
    ['MZ\u0090\0', 'a program of Windows'],
    ['ElfFile\0', null],
    ['Oct 11 22:14:15 host sshd[1]: Accepted', null],
    ['', null],
  ])('of %j is %s', (head, kind) => {
    expect(notLog(bytes(head))).toBe(kind);
  });
});
