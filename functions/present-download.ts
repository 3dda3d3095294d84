import { fileHeaders, type Download } from '@svc/application/report/download.ts';
import type { Presentation } from './route.ts';

/** Sends a file as it is, or the client to where it is. */
export function presentDownload(download: Download): Presentation {
  if ('url' in download) return { status: 302, headers: { location: download.url } };
  const { content, fileName, type, sizeBytes } = download;
  const headers = fileHeaders(fileName, type);
  return { content, headers: sizeBytes === null ? headers : { ...headers, 'content-length': String(sizeBytes) } };
}
