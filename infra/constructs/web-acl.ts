import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/**
 * Requests of one address in five minutes. A page that is looked at asks some 150 times, so that two dozen
 * analysts behind one address stay below it; the service's own limits are narrower, and by what is asked for.
 */
const requestsPerAddress = 6000;

/**
 * Rules that would refuse what this service is for: logs, and searches in them, quote attacks, name files like
 * `auth.log` and are long. What looks into bodies, queries and paths only counts; the functions judge those. So does
 * what looks into every header, as browsers send the address of a page, with the search in it, in Referer. Left are
 * rules about single headers, cookies and methods. Names: AWS WAF Developer Guide, "Baseline rule groups",
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const countedOnly: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_QUERYSTRING',
    'SizeRestrictions_URIPATH',
    'SizeRestrictions_BODY',
    ...everywhere('EC2MetaDataSSRF'),
    ...everywhere('GenericLFI'),
    ...everywhere('GenericRFI'),
    ...everywhere('CrossSiteScripting'),
    'RestrictedExtensions_QUERYARGUMENTS',
    'RestrictedExtensions_URIPATH',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: [
    'JavaDeserializationRCE_HEADER',
    'JavaDeserializationRCE_BODY',
    'JavaDeserializationRCE_QUERYSTRING',
    'JavaDeserializationRCE_URIPATH',
    'Log4JRCE_HEADER',
    'Log4JRCE_BODY',
    'Log4JRCE_QUERYSTRING',
    'Log4JRCE_URIPATH',
    'ExploitablePaths_URIPATH',
    'ReactJSRCE_BODY',
  ],
  AWSManagedRulesAmazonIpReputationList: [],
};

export interface WebAclProps {
  readonly name: string;
  /** Whether AWS's own rules are in it, beside the limit for each address. */
  readonly managed: boolean;
}

/** The firewall in front of CloudFront; to be made in us-east-1. */
export function webAcl(scope: Construct, id: string, { name, managed }: WebAclProps): CfnWebACL {
  const groups = Object.entries(managed ? countedOnly : {}).map(([rules, counted], priority) => ({
    name: rules,
    priority,
    overrideAction: { none: {} },
    visibilityConfig: visibility(rules),
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: rules,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
  }));
  return new CfnWebACL(scope, id, {
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(name),
    rules: [
      ...groups,
      {
        name: 'RequestsPerAddress',
        priority: groups.length,
        action: { block: { customResponse: { responseCode: 429 } } },
        visibilityConfig: visibility('RequestsPerAddress'),
        statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
      },
    ],
  });
}

/** A kind of attack by where it is looked for; those in cookies are left to block. */
function everywhere(kind: string): string[] {
  return ['BODY', 'QUERYARGUMENTS', 'URIPATH'].map((part) => `${kind}_${part}`);
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: true };
}
