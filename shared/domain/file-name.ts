const LONGEST = 512;

/** Control characters, and marks that turn the direction of text, so that an ending looks like another. */
const unseen = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Submitted name as stored: what cannot be seen removed, at most 512 characters, extension kept. */
export function cleanFileName(name: string): string {
  const clean = whole(name.replace(unseen, ''));
  if (clean === '') return 'upload.bin';
  if (clean.length <= LONGEST) return clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 32 ? clean.slice(dot) : '';
  return whole(clean.slice(0, LONGEST - extension.length)) + extension;
}

/** Without halves of characters, which no database holds. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** Name shown when none can be attributed to the submission (service 2.1). */
export function fallbackName(sha256: string): string {
  return `upload-${sha256.slice(0, 12)}`;
}
