import type { ObjectArea } from '@svc/application/ports/object-store.ts';
import type { Environment } from '@svc/config';

/** Where the buckets are, and as whom to use them. */
export interface S3Settings {
  readonly buckets: Readonly<Record<ObjectArea, string>>;
  readonly region: string;
  /** Of an S3-compatible store; null for AWS itself. */
  readonly endpoint: string | null;
  /** Where clients reach the store, to send files by themselves; null for AWS itself, or when they do not. */
  readonly publicEndpoint: string | null;
  /** Null for the chain that all AWS programs follow: variables, profile, role of the container or machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/**
 * The buckets of `STORAGE_BACKEND=s3` (service 8.4); one for all unless the others are named. Answers go where browsers
 * may go.
 */
export function s3SettingsOf(environment: Environment): S3Settings {
  const { S3_BUCKET, S3_OUTPUTS_BUCKET = S3_BUCKET, S3_PACKS_BUCKET = S3_BUCKET } = environment;
  const { S3_REGION, S3_ENDPOINT, S3_PUBLIC_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = environment;
  return {
    buckets: { uploads: S3_BUCKET, outputs: S3_OUTPUTS_BUCKET, packs: S3_PACKS_BUCKET, answers: S3_BUCKET },
    region: S3_REGION ?? process.env['AWS_REGION'] ?? 'us-east-1',
    endpoint: S3_ENDPOINT ?? null,
    publicEndpoint: S3_PUBLIC_ENDPOINT ?? null,
    credentials:
      S3_ACCESS_KEY !== undefined && S3_SECRET_KEY !== undefined
        ? { accessKeyId: S3_ACCESS_KEY, secretAccessKey: S3_SECRET_KEY }
        : null,
  };
}

/**
 * The origin to which clients send files by themselves; null when all files go through the service, as
 * with a store whose address only the service knows.
 */
export function uploadOriginOf(environment: Environment): string | null {
  const { buckets, region, endpoint, publicEndpoint } = s3SettingsOf(environment);
  if (environment.STORAGE_BACKEND === 'local') return null;
  if (publicEndpoint !== null) return new URL(publicEndpoint).origin;
  if (endpoint !== null) return null;
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // A wildcard certificate covers one label: names with dots go into the path.
  return `https://${buckets.uploads.includes('.') ? '' : `${buckets.uploads}.`}${host}`;
}
