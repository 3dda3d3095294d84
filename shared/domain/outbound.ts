/** Why a request to a host of somebody else came to nothing. */
export const outboundFailures = [
  'bad_url',
  'refused_address',
  'unresolved',
  'network_error',
  'timeout',
  'too_large',
  'compressed',
] as const;
export type OutboundFailure = (typeof outboundFailures)[number];
