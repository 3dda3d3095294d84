import type { Ports } from '@svc/application/ports/ports.ts';
import { MemoryRateLimiter } from './memory-rate-limiter.ts';
import { MemoryUploadAdmission } from './memory-upload-admission.ts';

/** Of a process that is the only one; `places` is how many uploads it receives at once. */
export function memoryCoordination(places: number): Pick<Ports, 'keyValue' | 'rateLimiter' | 'uploadAdmission'> {
  return {
    keyValue: { check: () => Promise.resolve(), evictionPolicy: () => Promise.resolve(null) },
    rateLimiter: new MemoryRateLimiter(),
    uploadAdmission: new MemoryUploadAdmission(places),
  };
}
