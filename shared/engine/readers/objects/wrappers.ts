/** Keys under which exports put the list of their records, where nothing but scalars comes before. */
export const wrapperKeys: ReadonlySet<string> = new Set([
  'Records',
  'records',
  'value',
  'Events',
  'events',
  'entries',
  'items',
  'data',
  'results',
  'logs',
  'logEvents',
  'hits',
]);
