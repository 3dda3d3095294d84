import { code, list, table, text, type Chapter } from './blocks.ts';

/** How other programs fetch what is known. */
export const feedsChapter: Chapter = {
  id: 'feeds',
  title: 'Feeds and TAXII',
  blocks: [
    text(
      'Other programs fetch what logs name as indicators, with an API token. A token sees what its creator sees: severity and categories come only from jobs that the creator may open, and allowlisted entities are left out. Feeds, in the rail, has all addresses.',
    ),
    table(
      [
        '`/intel/ioc-feed`',
        'JSON, or `format=csv`, `stix` or `misp`; scope `ioc_feed:read`; members also in their browser',
      ],
      ['`q`, `types`, `tags`', 'What the list of entities takes; what of `q` cannot be used is refused'],
      ['`since`', 'Only what was seen after this time'],
      ['`limit`, `cursor`', 'At most 5,000 at once; the header `X-Next-Cursor` leads to what comes behind'],
      ['`include_allowlisted=1`', 'Also what is allowlisted'],
      [
        '`/intel/ioc-feed/misp`',
        'The address to give MISP as a feed of its own format: `manifest.json`, events, `hashes.csv`',
      ],
      ['`/taxii2/`', 'TAXII 2.1, where the operator has switched it on; scope `taxii:read`; no browser session'],
    ),
    list(
      'An answer has an `ETag` and a `Last-Modified`; send one back as `If-None-Match` or `If-Modified-Since`, and where nothing is new the answer is 304 without a body.',
      'Ids in STIX and MISP are the same each time, so that a second import updates the first.',
      'In MISP a feed has an event for each day on which something was first seen. An entity stays in its event.',
    ),
    text('A TAXII client reads a collection to its end, and from then on asks for what was added after the last date:'),
    code(
      "curl -H 'Authorization: Bearer TOKEN' \\",
      "  -H 'Accept: application/taxii+json;version=2.1' \\",
      "  'http://127.0.0.1:8000/taxii2/svc/collections/live-iocs/objects/?added_after=2026-08-01T10:00:00Z'",
    ),
    list(
      '`live-iocs` has everything that is not allowlisted, `watched-iocs` what somebody has starred of it.',
      'An entity that another job names, that comes off the allowlist or gets a star is added again. `X-TAXII-Date-Added-Last` is the date to poll with; it is when clients were first told, not when the entity was seen, which is `modified`.',
      'What is allowlisted or deleted later is not taken back, since TAXII has no word for it.',
    ),
  ],
};
