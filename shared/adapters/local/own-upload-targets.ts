import type { SignedUpload, UploadTarget, UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { operations } from '@svc/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { z } from 'zod';

const Claims = z.object({ sub: z.string(), size: z.number(), sha256: z.string() });

/**
 * Addresses of this service itself, for any object store: the last segment is an HS256 token over the
 * upload's id, length and digest, under a key of its own derived from the secret key.
 */
export class OwnUploadTargets implements UploadTargets {
  readonly #key: Uint8Array;

  constructor(secretKey: string) {
    this.#key = createHmac('sha256', secretKey).update('upload targets').digest();
  }

  async presignPut(upload: SignedUpload & { readonly expiresAt: Date }): Promise<UploadTarget> {
    const { uploadId, sizeBytes, sha256, expiresAt } = upload;
    const token = await new SignJWT({ size: sizeBytes, sha256 })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(uploadId)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    const url = operations.receiveUpload.path.replace('{token}', token);
    return { key: null, url, beginBy: expiresAt, headers: { 'content-type': 'application/octet-stream' } };
  }

  async presignGet(): Promise<null> {
    return null;
  }

  async verify(token: string, at: Date): Promise<SignedUpload | null> {
    const verified = await jwtVerify(token, this.#key, { algorithms: ['HS256'], currentDate: at }).catch(() => null);
    const claims = Claims.safeParse(verified?.payload);
    if (!claims.success) return null;
    const { sub, size, sha256 } = claims.data;
    return { uploadId: sub, sizeBytes: size, sha256 };
  }
}
