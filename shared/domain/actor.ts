/** Roles, lowest first; `admin` is the only one that may use `/admin/*`. */
export const roles = ['user', 'member', 'admin'] as const;
export type Role = (typeof roles)[number];

/** What an API token may be used for (service 5.2, and for rules and entities more, decision 98). */
export const scopes = [
  'ioc_feed:read',
  'taxii:read',
  'case:read',
  'case:write',
  'job:submit',
  'job:read',
  'rule:write',
  'intel:read',
  'intel:tag',
  'intel:rules',
  'readiness:read',
] as const;
export type Scope = (typeof scopes)[number];

/** Who makes a request. Anonymous visitors may submit and read what is not private. */
export type Actor =
  | { readonly kind: 'anonymous'; readonly ip: string }
  | {
      readonly kind: 'account';
      readonly userId: string;
      readonly email: string;
      readonly role: Role;
      readonly ip: string;
      /** The API token by which the account acts; absent in a browser session. */
      readonly token?: { readonly prefix: string; readonly scopes: readonly Scope[] };
      /** The browser session that it acts by, and whether that has just given its password. */
      readonly session?: { readonly id: string; readonly isConfirmed: boolean };
    };

/** Whether the actor holds this role or a higher one. */
export function hasRole(actor: Actor, role: Role): boolean {
  return actor.kind === 'account' && reaches(actor.role, role);
}

/** Whether a role is `least` or a higher one. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** `can_view(job, user)` of resolved-platform 3.7: private jobs are for their submitter and admins. */
export function canView(job: { isPrivate: boolean; submittedBy: string | null }, actor: Actor): boolean {
  return !job.isPrivate || hasRole(actor, 'admin') || isSubmitter(job, actor);
}

/** Whether the actor submitted the job. */
export function isSubmitter(job: { submittedBy: string | null }, actor: Actor): boolean {
  return actor.kind === 'account' && job.submittedBy === actor.userId;
}

/** Who may cancel (3.4): admins, and the account that submitted it. */
export function canCancel(job: { submittedBy: string | null }, actor: Actor): boolean {
  return hasRole(actor, 'admin') || isSubmitter(job, actor);
}
