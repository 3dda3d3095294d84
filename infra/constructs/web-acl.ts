import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/** Requests of one address in five minutes; a busy analyst makes some hundred. */
const requestsPerAddress = 3000;

/**
 * Rules that would refuse what this service is for: logs quote attacks. Bodies are the functions' to judge,
 * so what looks into them only counts.
 */
const countedOnly: Readonly<Record<string, readonly string[]>> = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'EC2MetaDataSSRF_BODY',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['Log4JRCE_BODY', 'JavaDeserializationRCE_BODY', 'ReactJSRCE_BODY'],
  AWSManagedRulesAmazonIpReputationList: [],
};

/** The firewall in front of CloudFront: AWS's managed rules and a limit for each address. */
export function webAcl(scope: Construct, id: string, name: string): CfnWebACL {
  const managed = Object.entries(countedOnly).map(([rules, counted], priority) => ({
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
      ...managed,
      {
        name: 'RequestsPerAddress',
        priority: managed.length,
        action: { block: { customResponse: { responseCode: 429 } } },
        visibilityConfig: visibility('RequestsPerAddress'),
        statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
      },
    ],
  });
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: true };
}
