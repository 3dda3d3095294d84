import { S3Client } from '@aws-sdk/client-s3';
import { clientDefaults } from './client-defaults.ts';
import type { S3Settings } from './s3-settings.ts';

/** A client of AWS S3, or of a compatible store at the endpoint. */
export function s3Client({ endpoint, region, credentials }: S3Settings): S3Client {
  return new S3Client({
    ...clientDefaults(),
    region,
    ...(credentials && { credentials }),
    ...(endpoint !== null && {
      endpoint,
      forcePathStyle: true,
      // Not every compatible store knows the checksums that AWS has added; some store their framing as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  });
}
