import type { Scope } from '@svc/domain';

/** What each scope lets a token do, in a phrase; never more than its creator may. */
export const scopeMeanings: Record<Scope, string> = {
  'job:submit': 'Submit logs and list workflows',
  'job:read': 'Read the states of jobs and how much they found',
  'case:read': 'Read cases that its creator can see',
  'case:write': 'Create and change cases',
  'rule:write': 'Import rule packs and decide about their rules, for an administrator’s scripts',
  'intel:read': 'Search and read entities and tags',
  'intel:tag': 'Tag entities, and take tags off them',
  'intel:rules': 'Export alert rules, and import them',
  'ioc_feed:read': 'Read the feed of indicators',
  'taxii:read': 'Read the TAXII collections',
  'readiness:read': 'Read whether the service is ready, for an administrator’s monitoring',
};

/** The order in which people look for them. */
export const scopesByUse = Object.keys(scopeMeanings) as Scope[];

/** A command for a shell that uses a new token; null when its scopes reach nothing that one could show. */
export function tryLine(token: string, scopes: readonly Scope[], origin: string): string | null {
  const start = `curl -H 'Authorization: Bearer ${token}'`;
  if (scopes.includes('job:submit'))
    return [start, '-F workflow_id=1 -F file=@Security.evtx', `${origin}/api/v1/jobs`].join(' \\\n  ');
  if (scopes.includes('job:read')) return [start, `'${origin}/api/v1/jobs?ids=1'`].join(' \\\n  ');
  return null;
}
