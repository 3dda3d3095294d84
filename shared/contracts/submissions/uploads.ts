import { z } from 'zod';
import { Timestamp, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** The file that a client is about to send by itself: its name, its exact length and digest. */
export const CreateUploadInput = z.object({
  filename: z.string().max(4096),
  size_bytes: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .toLowerCase(),
});
export type CreateUploadInput = z.output<typeof CreateUploadInput>;

/** A place for exactly that file: send its bytes to `url` with these headers, then submit `upload_id`. */
export const UploadTicket = z.object({
  upload_id: z.string(),
  method: z.literal('PUT'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Until when the sending must have begun. */
  expires_at: Timestamp,
});
export type UploadTicket = z.output<typeof UploadTicket>;

/** The slot flow (resolved-platform 22): reserve, send, then submit with `upload_id` in place of the file. */
export const uploadOperations = {
  createPublicUpload: {
    area: 'submissions',
    method: 'POST',
    path: '/uploads',
    summary: 'Reserve an upload, with or without an account; for files that are sent before they are submitted',
    access: 'anyone',
    scope: 'job:submit',
    body: CreateUploadInput,
    limit: 'slot',
    success: [201],
    output: UploadTicket,
    errors: ['too_large', 'demo_mode'],
  },
  createUpload: {
    area: 'submissions',
    method: 'POST',
    path: '/api/v1/uploads',
    summary: 'Reserve an upload as an account',
    access: 'user',
    scope: 'job:submit',
    body: CreateUploadInput,
    limit: 'slot',
    success: [201],
    output: UploadTicket,
    errors: ['too_large', 'demo_mode'],
  },
  receiveUpload: {
    area: 'submissions',
    method: 'PUT',
    path: '/api/uploads/{token}',
    summary: 'Send the bytes of a reserved upload; the address is the one that the reservation names',
    access: 'anyone',
    scope: 'job:submit',
    params: z.object({ token: z.string().max(1024) }),
    raw: true,
    success: [204],
    output: null,
    errors: [
      'length_required',
      'length_mismatch',
      'digest_mismatch',
      'no_upload',
      'demo_mode',
      'busy',
      'low_space',
      'coordination_down',
    ],
  },
} as const satisfies Record<string, Operation>;
