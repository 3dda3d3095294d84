import { S3ServiceException } from '@aws-sdk/client-s3';
import { AppError } from '@svc/domain';

const fullCodes = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull']);

/** Whether the store answered that there is no such object. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return error.name === 'NoSuchKey' || error.name === 'NotFound';
}

/** What a failed request means to those who use the store; the cause stays for the log. */
export function storeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isMissing(error)) return new AppError('upload_missing', 'The file is not in the store', { cause: error });
  if (error instanceof S3ServiceException && (fullCodes.has(error.name) || error.$metadata.httpStatusCode === 507)) {
    return new AppError('low_space', 'The server has no space left for this file', { cause: error });
  }
  return new AppError('unavailable', 'The file store does not answer as it should; try again in a minute', {
    cause: error,
  });
}

/** For the operator, who reads it at the start and in the log: what the store said of the bucket. */
export function bucketError(bucket: string, error: unknown): AppError {
  const said = isMissing(error) ? 'there is no such bucket' : String(error);
  return new AppError('unavailable', `The bucket ${bucket} of the file store cannot be used (${said})`, {
    cause: error,
  });
}
