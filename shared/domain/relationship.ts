/** Types of directed relationships (resolved-intel 6.1 and 6.5) in canonical order, with what each says. */
export const relationshipLabels = {
  hashes_to: 'hashes to',
  resolves_to: 'resolves to',
  parent_of: 'parent of',
  runs_as: 'runs as',
  runs_on: 'runs on',
  logs_on_from: 'logs on from',
  logs_on_to: 'logs on to',
  connects_to: 'connects to',
  loads: 'loads',
  creates: 'creates',
  communicates_with: 'communicates with',
  queries: 'queries',
  installs: 'installs',
  schedules: 'schedules',
  injects_into: 'injects into',
} as const;
export type RelationshipKind = keyof typeof relationshipLabels;
export const relationshipKinds = Object.keys(relationshipLabels) as [RelationshipKind, ...RelationshipKind[]];

/** Events of a job that are kept of a relationship, at most. */
export const relationshipSamples = 3;
