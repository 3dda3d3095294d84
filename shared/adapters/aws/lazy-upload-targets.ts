import type { Log } from '@svc/application/ports/log.ts';
import type { UploadTargets } from '@svc/application/ports/upload-targets.ts';
import { lazy } from '../lazy.ts';
import type { S3Settings } from './s3-settings.ts';

type Putting = Pick<UploadTargets, 'presignPut'>;

export interface LazyUploadTargetsOptions {
  readonly settings: S3Settings;
  /** Addresses of the service itself, for a store that does not hold to what was signed. */
  readonly own: UploadTargets;
  readonly log: Log;
}

/** Presigned addresses of the bucket where the store can be trusted with them. */
export function lazyUploadTargets({ settings, own, log }: LazyUploadTargetsOptions): UploadTargets {
  const { port: putting } = lazy<Putting>(() => open(settings, own, log));
  return {
    presignPut: (upload) => putting.presignPut(upload),
    presignGet: (download) => linkTo(settings, download),
    verify: (token, at) => own.verify(token, at),
  };
}

/** Other than with uploads, nothing hangs on how closely the store looks at what was signed. */
async function linkTo(settings: S3Settings, download: Parameters<UploadTargets['presignGet']>[0]): Promise<string> {
  const [{ s3Client }, { downloadLink }] = await Promise.all([
    import('./s3-client.ts'),
    import('./s3-download-link.ts'),
  ]);
  const { buckets, publicEndpoint } = settings;
  return downloadLink(s3Client({ ...settings, endpoint: publicEndpoint }), buckets, download);
}

async function open(settings: S3Settings, own: UploadTargets, log: Log): Promise<Putting> {
  const [{ s3Client }, { S3UploadTargets }, { holdsToSignatures }] = await Promise.all([
    import('./s3-client.ts'),
    import('./s3-upload-targets.ts'),
    import('./s3-signature-check.ts'),
  ]);
  const { buckets, endpoint, publicEndpoint } = settings;
  const bucket = buckets.uploads;
  const inner = s3Client(settings);
  // Of AWS it is known. Asked by the way that this process has to the store, which may not be the clients'.
  if (endpoint !== null && !(await holdsToSignatures(new S3UploadTargets(inner, bucket), inner, bucket))) {
    log.warn('the store takes uploads that differ from what was signed; they go through the service instead');
    return own;
  }
  return new S3UploadTargets(s3Client({ ...settings, endpoint: publicEndpoint }), bucket);
}
