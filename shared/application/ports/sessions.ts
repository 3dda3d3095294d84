/** What a session's token says (resolved-platform 14.2). */
export interface SessionClaims {
  readonly accountId: string;
  /** Digest of the password hash at sign-in: any change of password ends the session. */
  readonly passwordVersion: string;
  /** Random; the session is kept under its digest. */
  readonly secret: string;
}

export interface Sessions {
  /** A signed token, good for {@link sessionSeconds}. */
  issue(claims: SessionClaims): Promise<string>;
  /** Null for a forged, damaged or expired token. */
  verify(token: string): Promise<SessionClaims | null>;
  /** Keyed digest of something that is to be recognised later, but not readable where it is stored. */
  digest(text: string): string;
}

/** Life of a session, and of its cookie. */
export const sessionSeconds = 86_400;
