import { roles } from '@svc/domain';
import { z } from 'zod';
import type { Operation } from './operation.ts';

export const Me = z.object({
  id: z.string(),
  email: z.string(),
  display_name: z.string().nullable(),
  role: z.enum(roles),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
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
    errors: ['bad_credentials', 'csrf'],
  },
  logout: {
    area: 'auth',
    method: 'POST',
    path: '/auth/cookie/logout',
    summary: 'Sign out; clears the session cookie',
    access: 'anyone',
    success: [204],
    output: null,
    errors: [],
  },
  getSession: {
    area: 'auth',
    method: 'GET',
    path: '/api/ui/session',
    summary: 'Who is signed in; null for a visitor, who has done nothing wrong by asking',
    access: 'anyone',
    success: [200],
    output: z.object({ account: Me.nullable() }),
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
    summary: 'Change one’s own name, address or password; the latter two need the current password',
    access: 'user',
    body: z.object({
      display_name: DisplayName.nullable().optional(),
      email: Email.optional(),
      password: Password.optional(),
      current_password: Password.optional(),
    }),
    success: [200],
    output: Me,
    errors: ['current_password_required', 'bad_password', 'weak_password', 'email_taken'],
  },
} as const satisfies Record<string, Operation>;
