/** How the feed of indicators is written (resolved-intel 18). */
export const feedFormats = ['json', 'csv', 'stix', 'misp'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Indicators of one page of the feed, and what a document about one entity says beside it, at most. */
export const feedLimits = { page: 5000, beside: 50, sightings: 50, packed: 10 } as const;

/** Most that a document about a case has, unless all is asked for; packs are always cut (resolved-intel 17.2, 17.4). */
export const caseExportLimits = { entities: 5000, sightings: 20_000, relationships: 20_000, packed: 200 } as const;
