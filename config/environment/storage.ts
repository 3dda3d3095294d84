import { z } from 'zod';
import { integer, url, type Contradiction, type Read } from './values.ts';

const bucket = () => z.string().min(3).max(63);

/** Variables of the object store that uploads go to, and of how much is taken. */
export const storageVariables = {
  STORAGE_BACKEND: z
    .enum(['local', 's3'])
    .default('local')
    .describe('Where uploads are kept: a folder of this machine, or a bucket of S3 or a compatible store.'),
  UPLOAD_DIR: z
    .string()
    .optional()
    .describe('Folder of the uploads with STORAGE_BACKEND=local; DATA_DIR/objects unset.'),
  S3_BUCKET: bucket().default('svc-log-analysis').describe('Bucket of the uploads; must exist.'),
  S3_OUTPUTS_BUCKET: bucket()
    .optional()
    .describe('Bucket of what analyses leave, under outputs/; S3_BUCKET when unset.'),
  S3_PACKS_BUCKET: bucket().optional().describe('Bucket of rule packs, under packs/; S3_BUCKET when unset.'),
  S3_REGION: z.string().optional().describe('Region of the bucket; AWS_REGION, or else us-east-1, when unset.'),
  S3_ENDPOINT: url()
    .optional()
    .describe('URL of an S3-compatible store, with the bucket in the path of requests; AWS itself when unset.'),
  S3_PUBLIC_ENDPOINT: url()
    .optional()
    .describe(
      'URL by which clients reach the store of S3_ENDPOINT, to send it files by themselves; unset, they go through the service.',
    ),
  S3_ACCESS_KEY: z.string().optional().describe('Key of the store; AWS’s usual chain of credentials when unset.'),
  S3_SECRET_KEY: z.string().optional().describe('Secret that belongs to S3_ACCESS_KEY.'),
  MAX_UPLOAD_SIZE_MB: integer(1, 1_048_576).default(500).describe('Largest file that may be submitted, in MiB.'),
  UPLOAD_MAX_CONCURRENT: integer(0, 1000)
    .default(4)
    .transform((uploads) => Math.max(1, uploads))
    .describe('Uploads received at the same time, by all processes that share a key-value store; at least 1.'),
};

export function storageContradictions({
  S3_ACCESS_KEY,
  S3_SECRET_KEY,
}: Read<typeof storageVariables>): Contradiction[] {
  return [
    [
      (S3_ACCESS_KEY === undefined) !== (S3_SECRET_KEY === undefined),
      'S3_ACCESS_KEY and S3_SECRET_KEY must be set together',
    ],
  ];
}
