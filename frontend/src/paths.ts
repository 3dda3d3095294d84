/** Addresses of the pages, as templates that the router and its links know. */
export const paths = {
  submit: '/',
  jobs: '/jobs',
  job: '/jobs/$jobId',
  guide: '/docs',
  login: '/login',
  account: '/account',
  users: '/admin/users',
  apiTokens: '/admin/api-tokens',
  rulePacks: '/admin/rule-packs',
  settings: '/admin/settings',
  packRules: '/admin/rule-packs/$pack',
} as const;

/** Download of all findings of a job with their sample events. */
export function findingsDownload(jobId: number): string {
  return `/jobs/${jobId}/findings.json`;
}
