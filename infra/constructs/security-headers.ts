import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront';
import { securityHeadersFor, type HeaderChoices } from '@svc/contracts';
import type { Construct } from 'constructs';

/**
 * What the functions put on their answers, for what the bucket sends. Answers that have a header already
 * keep theirs.
 */
export function securityHeadersPolicy(scope: Construct, id: string, choices: HeaderChoices): ResponseHeadersPolicy {
  const headers = new Map(Object.entries(securityHeadersFor(choices)));
  const take = (name: string): string => {
    const value = headers.get(name);
    if (value === undefined) throw new Error(`the service sends no ${name}`);
    headers.delete(name);
    return value;
  };
  const override = false;
  const securityHeadersBehavior: ResponseSecurityHeadersBehavior = {
    contentSecurityPolicy: { contentSecurityPolicy: take('content-security-policy'), override },
    contentTypeOptions: { override: take('x-content-type-options') !== 'nosniff' },
    frameOptions: { frameOption: oneOf(HeadersFrameOption, take('x-frame-options')), override },
    referrerPolicy: { referrerPolicy: oneOf(HeadersReferrerPolicy, take('referrer-policy')), override },
    strictTransportSecurity: { ...transportSecurity(take('strict-transport-security')), override },
  };
  // CloudFront has a place of its own for those above, and takes them nowhere else.
  const others = [...headers].map(([header, value]) => ({ header, value, override }));
  return new ResponseHeadersPolicy(scope, id, {
    securityHeadersBehavior,
    customHeadersBehavior: { customHeaders: others },
  });
}

/** The value of the CDK's that says so; CloudFront knows no others. */
function oneOf<T extends string>(values: Readonly<Record<string, T>>, said: string): T {
  const found = Object.values(values).find((value) => value === said);
  if (found === undefined) throw new Error(`CloudFront does not send ${said}`);
  return found;
}

function transportSecurity(value: string): { accessControlMaxAge: Duration; includeSubdomains: boolean } {
  return {
    accessControlMaxAge: Duration.seconds(Number(/max-age=(\d+)/.exec(value)?.[1])),
    includeSubdomains: value.includes('includeSubDomains'),
  };
}
