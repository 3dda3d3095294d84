import { sessionSeconds, type SessionClaims, type Sessions } from '@svc/application/ports/sessions.ts';
import { jwtVerify, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { z } from 'zod';

const Claims = z.object({ sub: z.string(), pv: z.string(), sid: z.string() });

/** Sessions as HS256 tokens (resolved-platform 14.2). */
export class JoseSessions implements Sessions {
  readonly #key: Uint8Array;

  constructor(secretKey: string) {
    this.#key = new TextEncoder().encode(secretKey);
  }

  issue({ accountId, passwordVersion, secret }: SessionClaims): Promise<string> {
    return new SignJWT({ pv: passwordVersion, sid: secret })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(accountId)
      .setIssuedAt()
      .setExpirationTime(`${sessionSeconds}s`)
      .sign(this.#key);
  }

  async verify(token: string): Promise<SessionClaims | null> {
    const verified = await jwtVerify(token, this.#key, { algorithms: ['HS256'] }).catch(() => null);
    const claims = Claims.safeParse(verified?.payload);
    if (!claims.success) return null;
    const { sub: accountId, pv: passwordVersion, sid: secret } = claims.data;
    return { accountId, passwordVersion, secret };
  }

  digest(text: string): string {
    return createHmac('sha256', this.#key).update(`digest\0${text}`).digest('base64url');
  }
}
