import { Match } from 'aws-cdk-lib/assertions';
import { areaPorts } from '../../functions/area-ports.ts';
import { routesOf } from '../constructs/routes.ts';
import { describe, expect, it } from 'vitest';
import { synthesised } from './synth.ts';

const template = synthesised().templates.service;

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** Actions that the role of an area’s function may take, but for those of every function in a VPC. */
function actionsOf(area: string): string[] {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
    id.startsWith(`Areas${area}ServiceRole`),
  );
  const statements = policies.flatMap(
    ([, { Properties }]) => (Properties as { PolicyDocument: { Statement: Statement[] } }).PolicyDocument.Statement,
  );
  const actions = new Set(statements.flatMap(({ Action }) => Action));
  return [...actions].filter((action) => !action.startsWith('xray:'));
}

describe('functions of the areas', () => {
  it.each(Object.keys(areaPorts))('%s answers before API Gateway gives up', (area) => {
    const functions = template.findResources('AWS::Lambda::Function', {
      Properties: { Timeout: 29, Runtime: 'nodejs24.x', Architectures: ['arm64'] },
    });
    const ids = Object.keys(functions).filter((id) => id.startsWith(`Areas${area}`));
    expect(ids).toHaveLength(1);
    const variables = Object.keys(
      (functions[ids[0]!] as { Properties: { Environment: { Variables: object } } }).Properties.Environment.Variables,
    );
    const common = ['DATABASE_URL', 'KV_HOST', 'S3_BUCKET', 'DATA_DIR', 'ENABLE_HSTS', 'SECRETS_MANAGER_IDS'];
    expect(variables).toEqual(expect.arrayContaining(common));
  });

  it('touch objects, queues and the ledger only where their operations do', () => {
    const beyondData = (area: string): string[] =>
      actionsOf(area)
        .filter((action) => !/^(rds-db|secretsmanager):/.test(action))
        .sort();
    // An answer that is too large for Lambda goes through the store.
    const answers = ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'];
    // Whoever commits something also delivers what it is told to, webhooks among it, which are tasks.
    const tasks = [
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'sqs:SendMessage',
    ];
    // How much waits for workers.
    const depths = 'sqs:GetQueueAttributes';
    for (const area of ['auth', 'discussions', 'feeds', 'intel', 'tags'])
      expect([area, beyondData(area)]).toEqual([area, [...tasks, ...answers].sort()]);
    // Administrators have a probe written, and see what waits, by the ledger, and what is stored, and a worker removes what they want removed.
    expect(beyondData('admin')).toEqual(
      [...tasks, ...answers, 'dynamodb:Scan', 's3:DeleteObject', 's3:ListBucket', depths].sort(),
    );
    // Alerts and cases show events, which are objects.
    const probes = ['s3:DeleteObject', 's3:ListBucket'];
    expect(beyondData('system')).toEqual([...tasks, ...answers, ...probes, depths].sort());
    for (const area of ['alerts', 'cases'])
      expect([area, beyondData(area)]).toEqual([area, [...tasks, ...answers, ...probes].sort()]);
    const objects = ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject'];
    for (const area of ['jobs', 'submissions'])
      expect([area, beyondData(area)]).toEqual([area, [...tasks, ...objects, 'lambda:InvokeFunction'].sort()]);
  });
});

describe('the HTTP API', () => {
  it('has the routes of the operations, and one for what has none', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => (Properties as { RouteKey: string }).RouteKey,
    );
    expect(routes.sort()).toEqual(['$default', ...routesOf().map(({ method, path }) => `${method} ${path}`)].sort());
    template.allResourcesProperties('AWS::ApiGatewayV2::Integration', { PayloadFormatVersion: '2.0' });
    template.resourceCountIs('AWS::ApiGatewayV2::Integration', Object.keys(areaPorts).length);
  });

  it('keeps a line of each request', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      AccessLogSettings: Match.objectLike({ Format: Match.stringLikeRegexp('"status":"\\$context.status"') }),
    });
  });

  it('has no bucket of requests that somebody without the key could empty for everybody', () => {
    const [[, stage]] = Object.entries(template.findResources('AWS::ApiGatewayV2::Stage')) as [[string, object]];
    expect(JSON.stringify(stage)).not.toMatch(/Throttling/);
  });

  it('counts all requests together, as nobody reads what each route would have of its own', () => {
    template.allResourcesProperties('AWS::ApiGatewayV2::Stage', { DefaultRouteSettings: Match.absent() });
    expect(JSON.stringify(synthesised().templates.operations.toJSON())).not.toMatch(/"Name":"(Route|Stage)"/);
  });
});
