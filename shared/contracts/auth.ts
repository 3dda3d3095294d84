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
} as const satisfies Record<string, Operation>;
