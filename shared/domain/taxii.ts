/** How TAXII 2.1 says what a body is. */
export const taxiiType = 'application/taxii+json;version=2.1';
/** What collections have. */
export const stixType = 'application/stix+json;version=2.1';

/** Collections of the TAXII server, with the fixed ids that clients are set up with (resolved-intel 19). */
export const taxiiCollections = [
  {
    id: 'd5553fa8-67da-5fd8-8ac3-527ca159044e',
    alias: 'live-iocs',
    description: 'All that logs name and nobody has allowlisted, as indicators',
  },
  {
    id: 'a19832d8-0f93-56d7-9bb4-e53fb6496eed',
    alias: 'watched-iocs',
    description: 'What somebody has starred of it',
  },
] as const;
export type TaxiiCollectionAlias = (typeof taxiiCollections)[number]['alias'];

/** Objects of one page at most, and where the client does not say. */
export const taxiiPage = { most: 500, usual: 100 } as const;
