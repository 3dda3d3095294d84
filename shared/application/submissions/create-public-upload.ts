import type { CreateUploadInput, UploadTicket } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { createUpload, type CreateUploadPorts } from './create-upload.ts';

/** Reserves an upload; visitors without an account may. */
export async function createPublicUpload(
  ports: CreateUploadPorts,
  actor: Actor,
  input: CreateUploadInput,
  request: { readonly origin: string },
): Promise<UploadTicket> {
  return createUpload(ports, actor, input, request);
}
