/** What a session's token says (resolved-platform 14.2). */
export interface SessionClaims {
  readonly accountId: string;
  /** Digest of the password hash at sign-in: any change of password ends the session. */
  readonly passwordVersion: string;
}

export interface Sessions {
  /** A signed token, good for {@link sessionSeconds}. */
  issue(claims: SessionClaims): Promise<string>;
  /** Null for a forged, damaged or expired token. */
  verify(token: string): Promise<SessionClaims | null>;
}

/** Life of a session, and of its cookie. */
export const sessionSeconds = 86_400;
