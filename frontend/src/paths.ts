/** Addresses of the pages, as templates that the router and its links know. */
export const paths = {
  submit: '/',
  jobs: '/jobs',
  watching: '/jobs/watching',
  compare: '/jobs/compare',
  job: '/jobs/$jobId',
  batch: '/batches/$batchId',
  triage: '/triage',
  guide: '/docs',
  login: '/login',
  account: '/account',
  dashboard: '/admin',
  users: '/admin/users',
  apiTokens: '/admin/api-tokens',
  rulePacks: '/admin/rule-packs',
  settings: '/admin/settings',
  activity: '/admin/activity',
  tasks: '/admin/tasks',
  storage: '/admin/storage',
  aiProviders: '/admin/ai',
  workflows: '/admin/workflows',
  workflow: '/admin/workflows/$workflow',
  enrichment: '/admin/enrichment',
  workers: '/admin/workers',
  engines: '/admin/engines',
  packRules: '/admin/rule-packs/$pack',
  entities: '/intel',
  entityList: '/intel/entities',
  entity: '/intel/entities/$entityId',
  tags: '/intel/tags',
  cases: '/intel/cases',
  case: '/intel/cases/$caseId',
  alertRules: '/intel/rules',
  alertRule: '/intel/rules/$rule/edit',
  feeds: '/intel/feeds',
  rules: '/rules',
  suppressions: '/suppressions',
  runningRules: '/rules/$pack',
  ruleEditor: '/admin/rule-packs/custom/edit',
} as const;

/** Chapters of the guide, each at `/docs#ID`. */
export type ChapterId =
  | 'submitting'
  | 'in-this-browser'
  | 'finding-jobs'
  | 'entities'
  | 'graph'
  | 'cases'
  | 'alert-rules'
  | 'webhooks'
  | 'feeds'
  | 'reading'
  | 'engines'
  | 'similar'
  | 'severity'
  | 'discussion'
  | 'ai'
  | 'case-story'
  | 'accounts'
  | 'administration'
  | 'enrichment'
  | 'ai-providers'
  | 'rules'
  | 'workflows'
  | 'admin-engines'
  | 'settings'
  | 'tasks'
  | 'cli'
  | 'limits';

/** Download of a job's techniques as a layer for the ATT&CK Navigator. */
export function layerDownload(jobId: number): string {
  return `/jobs/${jobId}/mitre-layer`;
}

/** The same of all jobs that one sees. */
export const allJobsLayerDownload = '/intel/mitre-layer';

/** The same of what names an entity, in all jobs or in one. */
export function entityLayerDownload(entityId: number, job: number | undefined): string {
  return `/intel/entities/${entityId}/mitre-layer${job === undefined ? '' : `?job=${job}`}`;
}

/** Download of all findings of a job with their sample events. */
export function findingsDownload(jobId: number): string {
  return `/jobs/${jobId}/findings.json`;
}

/** Download of all matched events of a finding. */
export function matchesDownload(findingId: number, format: 'jsonl' | 'csv'): string {
  return `/api/v1/findings/${findingId}/matches?format=${format}`;
}

/** The same findings as a table, a line each. */
export function findingsTable(jobId: number): string {
  return `/jobs/${jobId}/findings.csv`;
}

/** The file of a job as it was submitted. */
export function fileDownload(jobId: number): string {
  return `/jobs/${jobId}/download`;
}

/** What the engines put out for a job, as an archive. */
export function rawDownload(jobId: number): string {
  return `/jobs/${jobId}/export-raw`;
}

/** Sections of the analytics of a job. @default all */
export function analyticsDownload(jobId: number, sections: readonly string[] = []): string {
  return `/jobs/${jobId}/analytics.json${sections.length > 0 ? `?sections=${sections.join(',')}` : ''}`;
}

/** Download of the graph around an entity, or of a case, for other programs. */
export function graphDownload(
  of: 'entities' | 'cases',
  id: number,
  request: Readonly<Record<string, string | number | boolean>>,
): string {
  const query = new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)]));
  return `/intel/${of}/${id}/graph.graphml?${query}`;
}

/** What indicators are exported: as the list of entities is narrowed, but for what feeds leave out. */
export interface FeedQuestion {
  readonly q: string;
  readonly types: readonly string[];
  readonly tags: readonly string[];
  readonly since: string | undefined;
}

/** Download of what a search for entities finds, at most 5,000 of them; allowlisted ones are left out. */
export function feedDownload(
  format: 'csv' | 'json' | 'stix' | 'misp',
  { q, types, tags, since }: FeedQuestion,
): string {
  const asked = { format, limit: '5000', q, types: types.join(','), tags: tags.join(','), since: since ?? '' };
  const said = Object.entries(asked).filter(([, value]) => value !== '');
  return `/intel/ioc-feed?${new URLSearchParams(said)}`;
}

/** Download of an entity with what surrounds it as a STIX bundle. */
export function stixDownload(id: number): string {
  return `/intel/entities/${id}/stix`;
}

/** Download of a case for other programs: as long as documents usually are, or all of it. */
export function caseDownload(id: number, format: 'stix' | 'misp', isWhole: boolean): string {
  return `/intel/cases/${id}/${format}${isWhole ? '?complete=1' : ''}`;
}

/** Download of the activity log as it is narrowed, or of the ends of its chains. */
export function activityDownload(
  file: 'export.csv' | 'export.json' | 'heads.json',
  narrowed: Readonly<Record<string, string | number | undefined>>,
): string {
  const said = Object.entries(narrowed).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/admin/activity/${file}?${new URLSearchParams(said)}`;
}
