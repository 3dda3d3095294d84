import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Area } from '@svc/contracts';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { output } from './output.ts';
import { routesOf } from './routes.ts';
import type { ServiceFunction } from './service-function.ts';

export interface ServiceApiProps {
  readonly functions: Readonly<Record<Area, ServiceFunction>>;
  readonly logRetention: RetentionDays;
}

/** One line a request, without what a query or a header may hold. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    request_id: '$context.requestId',
    route: '$context.routeKey',
    method: '$context.httpMethod',
    path: '$context.path',
    status: '$context.status',
    response_bytes: '$context.responseLength',
    latency_ms: '$context.responseLatency',
    function_ms: '$context.integrationLatency',
    function_error: '$context.integrationErrorMessage',
    edge_address: '$context.identity.sourceIp',
  }),
);

/**
 * The HTTP API: routes of the operation table to the functions of their areas. Its own address works only
 * with the edge's key, which the functions ask for; what has no route is for `system` to refuse. No throttle: one of
 * the stage or of a route is a single bucket for everybody, which whoever calls that address empties without the key
 * (API Gateway Developer Guide, "Throttling requests to your HTTP API"; decision 73).
 */
export class ServiceApi extends Construct {
  readonly http: HttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, { functions, logRetention }: ServiceApiProps) {
    super(scope, id);
    this.http = new HttpApi(this, 'Http', { createDefaultStage: false });
    const accessLog = new LogGroup(this, 'AccessLog', { retention: logRetention });
    output(this, 'ApiAccessLog', accessLog.logGroupName);
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      autoDeploy: true,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: accessLogFormat,
      },
    });
    const integrations = Object.fromEntries(
      Object.entries(functions).map(([area, lambda]) => [
        area,
        // One permission for all routes of a function: one each would outgrow its policy.
        new HttpLambdaIntegration(area, lambda, { scopePermissionToRoute: false }),
      ]),
    ) as Record<Area, HttpLambdaIntegration>;
    const add = (routeKey: HttpRouteKey, area: Area): void => {
      new HttpRoute(this, routeKey.key, { httpApi: this.http, routeKey, integration: integrations[area] });
    };

    add(HttpRouteKey.DEFAULT, 'system');
    for (const { method, path, area } of routesOf()) add(HttpRouteKey.with(path, HttpMethod[method]), area);
    const reason = 'The functions ask for the edge’s key, and know sessions, tokens and scopes of each operation.';
    acknowledge(this, ['APIG4'], reason);
  }
}
