import { roles, scopes, tokenStates } from '@svc/domain';
import { z } from 'zod';
import { AccountFields, DisplayName, Email, Password } from '../auth/operations.ts';
import { PathId, Switch, Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** Another account, as administrators see it. */
export const User = AccountFields.extend({ created_at: Timestamp });
export type User = z.output<typeof User>;

const UserId = z.object({ id: z.uuid() });

export const ApiToken = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The first 8 characters of the secret. */
  prefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  state: z.enum(tokenStates),
  /** Address of the account that it acts as; null when that is gone. */
  creator: z.string().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type ApiToken = z.output<typeof ApiToken>;

const lifetimes = [30, 90, 180, 365] as const;
/** Days; null for a token that never expires. */
const Lifetime = z
  .union([z.literal(lifetimes), z.null(), z.stringFormat('days', /^(30|90|180|365)$/).transform(Number)], {
    error: 'must be 30, 90, 180 or 365 days, or null for a token that never expires',
  })
  .default(90);

export const adminOperations = {
  listUsers: {
    area: 'admin',
    method: 'GET',
    path: '/admin/users',
    summary: 'All accounts, by address',
    access: 'admin',
    success: [200],
    output: z.object({ users: z.array(User) }),
    errors: [],
  },
  createUser: {
    area: 'admin',
    method: 'POST',
    path: '/admin/users',
    summary: 'Create an account',
    access: 'admin',
    confirmed: true,
    body: z.object({
      email: Email,
      password: Password,
      role: z.enum(roles),
      display_name: DisplayName.nullable().optional(),
    }),
    success: [201],
    output: User,
    errors: ['email_taken', 'weak_password'],
  },
  setUserRole: {
    area: 'admin',
    method: 'POST',
    path: '/admin/users/{id}/role',
    summary: 'Change the role of another account, which ends its sessions',
    access: 'admin',
    confirmed: true,
    params: UserId,
    body: z.object({ role: z.enum(roles) }),
    success: [200],
    output: User,
    errors: ['not_found', 'self_change', 'last_admin'],
  },
  setUserActive: {
    area: 'admin',
    method: 'POST',
    path: '/admin/users/{id}/active',
    summary: 'Activate or deactivate another account; its sessions end, and its API tokens rest meanwhile',
    access: 'admin',
    confirmed: true,
    params: UserId,
    body: z.object({ is_active: Switch }),
    success: [200],
    output: User,
    errors: ['not_found', 'self_change', 'last_admin'],
  },
  setUserPassword: {
    area: 'admin',
    method: 'POST',
    path: '/admin/users/{id}/password',
    summary: 'Set the password of an account, which ends its sessions; one’s own goes on',
    access: 'admin',
    confirmed: true,
    params: UserId,
    body: z.object({ password: Password }),
    success: [200],
    output: User,
    errors: ['not_found', 'weak_password'],
  },
  deleteUser: {
    area: 'admin',
    method: 'POST',
    path: '/admin/users/{id}/delete',
    summary: 'Delete another account; its jobs stay, without a submitter',
    access: 'admin',
    confirmed: true,
    params: UserId,
    success: [204],
    output: null,
    errors: ['not_found', 'self_change', 'last_admin'],
  },
  listApiTokens: {
    area: 'admin',
    method: 'GET',
    path: '/admin/api-tokens',
    summary: 'All API tokens, newest first, without their secrets',
    access: 'admin',
    success: [200],
    output: z.object({ tokens: z.array(ApiToken), behind_basic_auth: z.boolean() }),
    errors: [],
  },
  createApiToken: {
    area: 'admin',
    method: 'POST',
    path: '/admin/api-tokens',
    summary: 'Create an API token that acts as oneself; its secret is shown only now',
    access: 'admin',
    confirmed: true,
    body: z.object({
      name: z.string().trim().min(1).max(120),
      /** Unknown ones are dropped. */
      scopes: z.union([z.array(z.string()), z.string().transform((one) => one.split(','))], {
        error: 'must be names of scopes, as a list or with commas between them',
      }),
      expires_in_days: Lifetime,
    }),
    success: [201],
    output: ApiToken.pick({ id: true, prefix: true, scopes: true, expires_at: true }).extend({ token: z.string() }),
    errors: [],
  },
  revokeApiToken: {
    area: 'admin',
    method: 'POST',
    path: '/admin/api-tokens/{id}/revoke',
    summary: 'End an API token for good',
    access: 'admin',
    params: PathId,
    success: [204],
    output: null,
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
