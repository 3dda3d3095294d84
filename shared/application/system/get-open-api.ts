import type { operations, OutputOf } from '@svc/contracts';
import { openApiDocument } from '@svc/contracts/openapi.ts';
import { notFound } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';

/** The service's own description, while it is being developed against; else there is nothing at its address. */
export function getOpenApi({ deployment }: Pick<Ports, 'deployment'>): Promise<OutputOf<typeof operations.getOpenApi>> {
  if (!deployment.debug) return Promise.reject(notFound('address'));
  return Promise.resolve({ openapi: '3.1.0', ...openApiDocument(deployment) });
}
