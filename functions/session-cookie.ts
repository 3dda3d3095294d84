import { sessionSeconds } from '@svc/application/ports/sessions.ts';

const name = 'svc_auth';

/** The session's token in the request's cookies, or null. */
export function sessionToken(cookies: readonly string[] | undefined): string | null {
  const cookie = cookies?.map((each) => each.trim()).find((each) => each.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1) ?? null;
}

/** `Set-Cookie` for a session (resolved-platform 14.2); `token: null` ends it. */
export function sessionCookie(token: string | null, { secure }: { secure: boolean }): string {
  const age = token === null ? 0 : sessionSeconds;
  return `${name}=${token ?? ''}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${age}${secure ? '; Secure' : ''}`;
}
