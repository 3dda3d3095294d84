import { sessionSeconds, type SessionClaims, type Sessions } from '@svc/application/ports/sessions.ts';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

const Claims = z.object({ sub: z.string(), pv: z.string() });

/** Sessions as HS256 tokens (resolved-platform 14.2). */
export class JoseSessions implements Sessions {
  readonly #key: Uint8Array;

  constructor(secretKey: string) {
    this.#key = new TextEncoder().encode(secretKey);
  }

  issue({ accountId, passwordVersion }: SessionClaims): Promise<string> {
    return new SignJWT({ pv: passwordVersion })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(accountId)
      .setIssuedAt()
      .setExpirationTime(`${sessionSeconds}s`)
      .sign(this.#key);
  }

  async verify(token: string): Promise<SessionClaims | null> {
    const verified = await jwtVerify(token, this.#key, { algorithms: ['HS256'] }).catch(() => null);
    const claims = Claims.safeParse(verified?.payload);
    return claims.success ? { accountId: claims.data.sub, passwordVersion: claims.data.pv } : null;
  }
}
