/** How the feed of indicators is written (resolved-intel 18). */
export const feedFormats = ['json', 'csv', 'stix', 'misp'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Indicators of one page of the feed, and what a document about one entity says beside it, at most. */
export const feedLimits = { page: 5000, beside: 50, sightings: 50, packed: 10 } as const;
