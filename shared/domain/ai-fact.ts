/** What a value in an answer is, as far as its shape or the evidence tells. */
export const aiFactKinds = [
  'finding',
  'job',
  'rule',
  'technique',
  'cve',
  'ip',
  'hash',
  'host',
  'user',
  'domain',
  'path',
  'program',
  'service',
  'task',
  'url',
  'stand_in',
] as const;
export type AiFactKind = (typeof aiFactKinds)[number];
