const LONGEST = 512;

/** Submitted name as stored: control characters removed, at most 512 characters, extension kept. */
export function cleanFileName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- removing control characters is the point
  const clean = name.replace(/[\u0000-\u001f\u007f]/g, '');
  if (clean === '') return 'upload.bin';
  if (clean.length <= LONGEST) return clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 32 ? clean.slice(dot) : '';
  return clean.slice(0, LONGEST - extension.length) + extension;
}

/** Name shown when none can be attributed to the submission (service 2.1). */
export function fallbackName(sha256: string): string {
  return `upload-${sha256.slice(0, 12)}`;
}
