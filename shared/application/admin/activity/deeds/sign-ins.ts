import { many, namesOf, type Tellers } from './teller.ts';

/** Of sessions and one’s own account. */
export const signInDeeds = {
  login: ({ input: { username } }) => ({ action: 'auth.login', by: username.trim(), summary: 'Signed in' }),
  logout: () => ({ action: 'auth.logout', summary: 'Signed out' }),
  updateMe: ({ input }) => ({
    action: 'auth.profile',
    summary: 'Changed their own account',
    metadata: { fields: namesOf(input).filter((name) => name !== 'current_password') },
  }),
  confirmPassword: null,
  endSession: () => ({ action: 'auth.session.end', summary: 'Ended a session of theirs' }),
  endOtherSessions: ({ output: { ended } }) => ({
    action: 'auth.session.end',
    summary: `Ended ${many(ended, 'other session')} of theirs`,
    metadata: { count: ended },
  }),
} satisfies Partial<Tellers>;
