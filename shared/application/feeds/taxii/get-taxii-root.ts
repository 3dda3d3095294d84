import type { OutputOf, operations } from '@svc/contracts';
import { taxiiType } from '@svc/domain';

/** What the API root speaks; nothing can be written, whatever its length. */
export async function getTaxiiRoot(): Promise<OutputOf<typeof operations.getTaxiiRoot>> {
  return {
    title: 'svc',
    description: 'The only API root: two collections of indicators, to be read',
    versions: [taxiiType],
    max_content_length: 1_048_576,
  };
}
