import type { EntityType } from './entity.ts';
import { entityCategories, entityFlags, type EntityAttributeKey } from './entity-search/keys.ts';
import { relationshipKinds, type RelationshipKind } from './relationship.ts';

/** What joins two entities without saying how (resolved-intel 7.1): a log, or a rule match, that names both. */
export const togetherKinds = ['job', 'finding'] as const;
export const graphKinds = [...togetherKinds, 'typed'] as const;
export type GraphKind = (typeof graphKinds)[number];

/** The code of the first typed relationship; those of `togetherKinds` are their places. */
export const typedBase = togetherKinds.length;

/** Code of an edge; relationship types follow in canonical order. */
export function edgeCode(kind: (typeof togetherKinds)[number] | RelationshipKind): number {
  const place = togetherKinds.findIndex((one) => one === kind);
  return place >= 0 ? place : typedBase + relationshipKinds.findIndex((one) => one === kind);
}

/** What a code of an edge means; a relationship type where it is typed. */
export function edgeMeaning(code: number): { readonly kind: GraphKind; readonly type: RelationshipKind | null } {
  if (code < typedBase) return { kind: togetherKinds[code] ?? 'job', type: null };
  return { kind: 'typed', type: relationshipKinds[code - typedBase] ?? null };
}

/** Attributes of which a node has one at most, alphabetically. */
export const graphSubtypes: readonly EntityAttributeKey[] = [...entityCategories].sort();
const graphAttributes: readonly EntityAttributeKey[] = [...entityFlags].sort();

/** Bits of a node's flags. */
export const graphFlags = Object.fromEntries(
  ['watchlist', 'allowlisted', 'focal', 'in_case', ...graphAttributes].map((name, place) => [name, 2 ** place]),
) as Readonly<Record<'watchlist' | 'allowlisted' | 'focal' | 'in_case' | (typeof entityFlags)[number], number>>;

/** What enrichment says, from the least on. */
export const graphVerdicts = ['none', 'clean', 'unknown', 'suspicious', 'malicious'] as const;

/** What types are called, one of each (resolved-intel 1.2). */
export const entityLabels: Readonly<Record<EntityType, string>> = {
  user: 'User',
  computer: 'Computer',
  ip_address: 'IP',
  hash: 'Hash',
  executable: 'Executable',
  domain: 'Domain',
  cmdline_file: 'Command-line file',
  service: 'Service',
  task: 'Task',
};

/** Colours of resolved-intel 1.2. */
export const entityColors: Readonly<Record<EntityType, string>> = {
  user: '#3b82f6',
  computer: '#a855f7',
  ip_address: '#22c55e',
  hash: '#eab308',
  executable: '#f97316',
  domain: '#06b6d4',
  cmdline_file: '#f43f5e',
  service: '#14b8a6',
  task: '#6366f1',
};

export const graphKindColors: Readonly<Record<GraphKind, string>> = {
  job: '#475569',
  finding: '#fbbf24',
  typed: '#38bdf8',
};

export const graphUiColors = {
  focal: '#fbbf24',
  watched: '#fbbf24',
  selected: '#60a5fa',
  muted: '#374151',
  muted_label: '#6b7280',
} as const;

/** What a graph holds at most (resolved-intel 7.6). */
export const graphLimits = {
  hops: 3,
  neighbours: 500,
  nodes: 5000,
  edges: 15_000,
  nodesOfJob: 1500,
  graphmlNodes: 500,
  graphmlEdges: 25_000,
  paths: 24,
  pathSteps: 6,
  pathNodes: 20_000,
} as const;
