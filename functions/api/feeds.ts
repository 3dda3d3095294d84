import { exportCaseMisp, exportCaseStix, getCaseIocPack } from '@svc/application/feeds/case-documents.ts';
import { exportEntityStix } from '@svc/application/feeds/export-entity-stix.ts';
import { getEntityIocPack } from '@svc/application/feeds/get-entity-ioc-pack.ts';
import { getIocFeed } from '@svc/application/feeds/get-ioc-feed.ts';
import { getFeeds } from '@svc/application/feeds/get-feeds.ts';
import { getMispEvent } from '@svc/application/feeds/get-misp-event.ts';
import { getMispManifest } from '@svc/application/feeds/get-misp-manifest.ts';
import { listMispHashes } from '@svc/application/feeds/list-misp-hashes.ts';
import { getTaxiiDiscovery } from '@svc/application/feeds/taxii/get-taxii-discovery.ts';
import { getTaxiiManifest } from '@svc/application/feeds/taxii/get-taxii-manifest.ts';
import { getTaxiiObject } from '@svc/application/feeds/taxii/get-taxii-object.ts';
import { getTaxiiRoot } from '@svc/application/feeds/taxii/get-taxii-root.ts';
import { listTaxiiObjects } from '@svc/application/feeds/taxii/list-taxii-objects.ts';
import { listTaxiiVersions } from '@svc/application/feeds/taxii/list-taxii-versions.ts';
import { getTaxiiCollection, listTaxiiCollections } from '@svc/application/feeds/taxii/taxii-collections.ts';
import { stixType } from '@svc/domain';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type Presentation, type TableOf } from '../route.ts';

/** By the documents that say so: RFC 4180, STIX 2.1. */
const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  stix: stixType,
  misp: 'application/json',
} as const;
const fileNames = {
  json: 'svc-iocs.json',
  csv: 'svc-iocs.csv',
  stix: 'svc-iocs-stix.json',
  misp: 'svc-iocs-misp.json',
} as const;

/** Whether the caller has a page as it is; its date counts only where it names no tag (RFC 9110, 13.1.3). */
function isKnown(
  { 'if-none-match': tags, 'if-modified-since': date }: Readonly<Record<string, string | undefined>>,
  { etag, since }: { readonly etag: string; readonly since: Date | null },
): boolean {
  if (tags !== undefined) return tags.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
  return date !== undefined && since !== null && Date.parse(date) >= since.getTime();
}

/** When the first and the last object of a page were added. */
function addedBetween({
  added,
}: {
  readonly added: { readonly first: string; readonly last: string } | null;
}): Presentation {
  if (added === null) return {};
  return { headers: { 'x-taxii-date-added-first': added.first, 'x-taxii-date-added-last': added.last } };
}

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
  getIocFeed: presented(getIocFeed, ({ bytes, tag, since, next }, { input: { format }, headers }) => {
    const known = {
      etag: `"${tag}"`,
      'cache-control': 'private, no-cache',
      ...(since !== null && { 'last-modified': since.toUTCString() }),
      ...(next !== null && { 'x-next-cursor': next }),
    };
    if (isKnown(headers, { etag: known.etag, since })) return { status: 304, headers: known };
    return {
      headers: {
        ...known,
        'content-type': mediaTypes[format],
        'content-disposition': `attachment; filename="${fileNames[format]}"`,
      },
      bytes,
    };
  }),
  getFeeds,
  getMispEvent: presented(getMispEvent, (bytes) => ({ bytes })),
  getMispManifest,
  listMispHashes: presented(listMispHashes, (bytes) => ({ bytes })),
  getTaxiiCollection,
  getTaxiiDiscovery,
  getTaxiiManifest: presented(getTaxiiManifest, addedBetween),
  getTaxiiObject: presented(getTaxiiObject, addedBetween),
  getTaxiiRoot,
  listTaxiiCollections,
  listTaxiiObjects: presented(listTaxiiObjects, addedBetween),
  listTaxiiVersions: presented(listTaxiiVersions, addedBetween),
} satisfies TableOf<'feeds'>;

export const handler = areaHandler(areaPorts.feeds, table);
