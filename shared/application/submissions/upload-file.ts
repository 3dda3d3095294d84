import type { Actor } from '@svc/domain';
import { acceptFile, type AcceptedFile, type AcceptPorts, type FileInput } from './accept-file.ts';

/** Submits one spooled file; visitors without an account may, and theirs is never private. */
export async function uploadFile(ports: AcceptPorts, actor: Actor, input: FileInput): Promise<AcceptedFile> {
  return acceptFile(ports, actor, input);
}
