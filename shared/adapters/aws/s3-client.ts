import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.ts';

/** Silence after which a connection counts as lost. */
const silenceMs = 30_000;
const connectMs = 5000;

/** A client of AWS S3, or of a compatible store at the endpoint. */
export function s3Client({ endpoint, region, credentials }: S3Settings): S3Client {
  // Its advice on versions of Node.js is for those who choose the SDK's version, not for operators.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return new S3Client({
    region,
    ...(credentials && { credentials }),
    ...(endpoint !== null && {
      endpoint,
      forcePathStyle: true,
      // Not every compatible store knows the checksums that AWS has added; some store their framing as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  });
}
