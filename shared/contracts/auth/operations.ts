import { roles } from '@svc/domain';
import { z } from 'zod';
import { Timestamp } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** An account, as its owner and administrators see it. */
export const AccountFields = z.object({
  id: z.string(),
  email: z.string(),
  display_name: z.string().nullable(),
  role: z.enum(roles),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
});

/** What administrators put on top of every page; either may be empty. */
export const Banner = z.object({ marking: z.string(), text: z.string() });
export type Banner = z.output<typeof Banner>;

export const Me = AccountFields.extend({
  /** Whether files are sent as soon as they are chosen, with the options at hand. */
  send_at_once: z.boolean(),
});
export type Me = z.output<typeof Me>;

/** Account fields; the role and whether it is active are for administrators to change. */
export const Email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');
export const DisplayName = z.string().trim().max(100);
/** Long enough for any pass phrase; what is acceptable is the password policy's to say. */
export const Password = z.string().max(1024);

/** A browser in which an account is signed in. */
export const Session = z.object({
  id: z.string(),
  /** Whether it is the one that asks. */
  is_current: z.boolean(),
  /** Such as “Firefox on Windows”. */
  client: z.string(),
  /** Where it was signed in from, without the end of the address. */
  network: z.string(),
  created_at: Timestamp,
  /** To some minutes. */
  last_used_at: Timestamp,
  expires_at: Timestamp,
});
export type Session = z.output<typeof Session>;

export const authOperations = {
  login: {
    area: 'auth',
    method: 'POST',
    path: '/auth/cookie/login',
    summary: 'Sign in; sets the session cookie',
    access: 'anyone',
    body: z.object({ username: z.string().max(320), password: z.string().max(1024) }),
    limit: 'login',
    success: [204],
    output: null,
    errors: ['bad_credentials', 'busy', 'csrf'],
  },
  logout: {
    area: 'auth',
    method: 'POST',
    path: '/auth/cookie/logout',
    summary: 'Sign out; ends the session and clears its cookie',
    access: 'anyone',
    success: [204],
    output: null,
    errors: [],
  },
  getSession: {
    area: 'auth',
    method: 'GET',
    path: '/api/ui/session',
    summary:
      'Who is signed in, null for a visitor, who has done nothing wrong by asking; and what stands on top of every page',
    access: 'anyone',
    success: [200],
    output: z.object({ account: Me.nullable(), banner: Banner.nullable() }),
    errors: [],
  },
  getMe: {
    area: 'auth',
    method: 'GET',
    path: '/api/users/me',
    summary: 'The signed-in account',
    access: 'user',
    success: [200],
    output: Me,
    errors: ['unauthenticated'],
  },
  updateMe: {
    area: 'auth',
    method: 'PATCH',
    path: '/api/users/me',
    summary: 'Change one’s own name, preferences, address or password; the latter two need the current password',
    access: 'user',
    body: z.object({
      display_name: DisplayName.nullable().optional(),
      send_at_once: z.boolean().optional(),
      email: Email.optional(),
      password: Password.optional(),
      current_password: Password.optional(),
    }),
    success: [200],
    output: Me,
    errors: ['current_password_required', 'bad_password', 'weak_password', 'email_taken', 'rate_limited', 'busy'],
  },
  confirmPassword: {
    area: 'auth',
    method: 'POST',
    path: '/auth/confirm-password',
    summary: 'Give the password of the session again, for the operations that ask for it; good for 15 minutes',
    access: 'user',
    body: z.object({ password: Password }),
    success: [204],
    output: null,
    errors: ['bad_password', 'rate_limited', 'busy'],
  },
  listSessions: {
    area: 'auth',
    method: 'GET',
    path: '/api/users/me/sessions',
    summary: 'The browsers in which one is signed in, the last used first',
    access: 'user',
    success: [200],
    output: z.object({ sessions: z.array(Session) }),
    errors: [],
  },
  endSession: {
    area: 'auth',
    method: 'DELETE',
    path: '/api/users/me/sessions/{id}',
    summary: 'Sign one of one’s own browsers out',
    access: 'user',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) }),
    success: [204],
    output: null,
    errors: ['not_found'],
  },
  endOtherSessions: {
    area: 'auth',
    method: 'DELETE',
    path: '/api/users/me/sessions',
    summary: 'Sign all of one’s own browsers out but this one',
    access: 'user',
    success: [200],
    output: z.object({ ended: z.number().int() }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
