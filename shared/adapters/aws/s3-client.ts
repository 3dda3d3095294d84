import { S3Client } from '@aws-sdk/client-s3';
import { clientDefaults } from './client-defaults.ts';
import type { S3Settings } from './s3-settings.ts';

/**
 * A client of AWS S3, or of a compatible store at the endpoint.
 * @param signsForOthers - whether it signs requests whose content it does not know
 */
export function s3Client({ endpoint, region, credentials }: S3Settings, signsForOthers = false): S3Client {
  return new S3Client({
    ...clientDefaults(),
    region,
    ...(credentials && { credentials }),
    // Else a checksum of nothing would be a part of such a request.
    ...(signsForOthers && { requestChecksumCalculation: 'WHEN_REQUIRED' }),
    ...(endpoint !== null && {
      endpoint,
      forcePathStyle: true,
      // Not every compatible store knows the checksums that AWS has added; some store their framing as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  });
}
