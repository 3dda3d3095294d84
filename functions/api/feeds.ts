import { exportCaseMisp, exportCaseStix, getCaseIocPack } from '@svc/application/feeds/case-documents.ts';
import { exportEntityStix } from '@svc/application/feeds/export-entity-stix.ts';
import { getEntityIocPack } from '@svc/application/feeds/get-entity-ioc-pack.ts';
import { getIocFeed } from '@svc/application/feeds/get-ioc-feed.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

/** By the documents that say so: RFC 4180, STIX 2.1. */
const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  stix: 'application/stix+json;version=2.1',
  misp: 'application/json',
} as const;
const fileNames = {
  json: 'svc-iocs.json',
  csv: 'svc-iocs.csv',
  stix: 'svc-iocs-stix.json',
  misp: 'svc-iocs-misp.json',
} as const;

const table = {
  exportCaseMisp: presented(exportCaseMisp, (bytes, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="case-${id}-misp.json"` },
    bytes,
  })),
  exportCaseStix: presented(exportCaseStix, (bytes, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="case-${id}-stix.json"` },
    bytes,
  })),
  getCaseIocPack,
  exportEntityStix: presented(exportEntityStix, (bytes, { input: { id } }) => ({
    headers: { 'content-disposition': `attachment; filename="entity-${id}-stix.json"` },
    bytes,
  })),
  getEntityIocPack,
  getIocFeed: presented(getIocFeed, ({ bytes, tag, next }, { input: { format }, headers }) => {
    const known = {
      etag: `"${tag}"`,
      'cache-control': 'private, no-cache',
      ...(next !== null && { 'x-next-cursor': next }),
    };
    if (headers['if-none-match']?.split(',').some((one) => one.trim().replace(/^W\//, '') === known.etag))
      return { status: 304, headers: known };
    return {
      headers: {
        ...known,
        'content-type': mediaTypes[format],
        'content-disposition': `attachment; filename="${fileNames[format]}"`,
      },
      bytes,
    };
  }),
} satisfies TableOf<'feeds'>;

export const handler = areaHandler(areaPorts.feeds, table);
