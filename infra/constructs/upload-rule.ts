import { HttpMethods, type CorsRule } from 'aws-cdk-lib/aws-s3';

/** Lets a browser on this origin (`https://host`) send a file or fetch an answer by a signed request, and nothing else. */
export function uploadRule(origin: string): CorsRule & { readonly allowedHeaders: string[] } {
  return {
    allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
    allowedOrigins: [origin],
    allowedHeaders: ['content-type', 'if-none-match', 'x-amz-checksum-sha256'],
    maxAge: 3600,
  };
}
