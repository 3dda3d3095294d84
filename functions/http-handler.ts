import { compose } from '@svc/adapters/compose.ts';
import type { Deployment } from '@svc/application/ports/deployment.ts';
import { deliverAtOnce } from '@svc/application/happenings/deliveries.ts';
import { withLogFields } from '@svc/application/ports/log.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Operation } from '@svc/contracts';
import { networkOf, taxiiType } from '@svc/domain';
import middy from '@middy/core';
import { callOf, type CallContext } from './call-context.ts';
import type { HttpEvent, HttpHandler, HttpResult } from './http-event.ts';
import { KeptAnswers, unpacked } from './kept-answers.ts';
import { activity } from './middleware/activity.ts';
import { access } from './middleware/access.ts';
import { authentication } from './middleware/authentication.ts';
import { boundSession } from './middleware/bound-session.ts';
import { compression, takesGzip } from './middleware/compression.ts';
import { csrf } from './middleware/csrf.ts';
import { formInBody } from './middleware/form-in-body.ts';
import { inputParsing } from './middleware/input-parsing.ts';
import { largeAnswers } from './middleware/large-answers.ts';
import { problemResponse } from './middleware/problem-response.ts';
import { publicAddress } from './middleware/public-address.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { startedCall } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { requestMetrics } from './middleware/request-metrics.ts';
import { responseHeaders } from './middleware/response-headers.ts';
import { taxii } from './middleware/taxii.ts';
import { routing } from './middleware/routing.ts';
import { declaredLength, demoMode, uploadAdmission } from './middleware/upload-admission.ts';
import type { Reply, Route } from './route.ts';
import { Turns } from './turns.ts';

export type HttpPorts = Pick<
  Ports,
  | 'accounts'
  | 'activityLog'
  | 'apiTokens'
  | 'clock'
  | 'comments'
  | 'deployment'
  | 'happeningBell'
  | 'log'
  | 'metrics'
  | 'objects'
  | 'rateLimiter'
  | 'sessions'
  | 'sessionStore'
  | 'settings'
  | 'tasks'
  | 'transaction'
  | 'uploadAdmission'
  | 'uploadTargets'
  | 'webhookDeliveries'
>;

/**
 * Stacks the middleware, once for all areas, over an area's routes. What is listed first sees the
 * request first and the answer last.
 */
export function httpHandler(
  routes: readonly Route[],
  ports: HttpPorts = compose(
    'accounts',
    'activityLog',
    'apiTokens',
    'clock',
    'comments',
    'deployment',
    'happeningBell',
    'log',
    'metrics',
    'objects',
    'rateLimiter',
    'sessions',
    'sessionStore',
    'settings',
    'tasks',
    'transaction',
    'uploadAdmission',
    'uploadTargets',
    'webhookDeliveries',
  ),
): HttpHandler {
  deliverAtOnce(ports);
  const chain = middy<HttpEvent, HttpResult, Error, CallContext>()
    .use(ports.deployment.http.logRequests ? [requestLog(ports)] : [])
    .use(requestMetrics(ports))
    .use(largeAnswers(ports))
    .use(compression())
    .use(responseHeaders(ports))
    .use(problemResponse(ports))
    .use(publicAddress(ports))
    .use(taxii(ports))
    .use(routing(routes))
    .use(declaredLength(ports))
    .use(formInBody(ports))
    .use(boundSession(ports))
    .use(authentication(ports))
    // Before limits, which pages of others would use up.
    .use(csrf())
    .use(rateLimit(ports))
    .use(uploadAdmission(ports))
    .use(access())
    .use(demoMode(ports))
    .use(inputParsing(ports))
    .use(activity(ports))
    .handler((event, context) => answer(event, context, ports.deployment));
  return (event, context) => {
    const call = startedCall(event, context);
    return withLogFields({ request_id: call.requestId }, () => chain(event, call));
  };
}

/** Large answers are made a few at a time, so that they do not slow others down. */
const turns = new Turns({ atOnce: 2, waitMs: 10_000 });
const keptAnswers = new KeptAnswers(32 * 1_048_576);

async function answer(event: HttpEvent, context: CallContext, { http }: Deployment): Promise<HttpResult> {
  const { route, actor } = callOf(context);
  const { domainName, http: sent, origin = `https://${domainName}`, peer = sent.sourceIp } = event.requestContext;
  const { headers, cookies } = event;
  const { secureCookies } = http;
  // Outside Lambda there is no context of its.
  const streams = !('awsRequestId' in context);
  const request = { headers, cookies, origin, secureCookies, client: sent.sourceIp, peer, streams };
  const make = async (): Promise<HttpResult> => {
    const reply = await route.run(actor, context.input, request);
    context.output = reply.output;
    return toResult(route.operation, reply);
  };
  if (!route.operation.heavy) return make();
  const caller = actor.kind === 'account' ? actor.userId : networkOf(actor.ip);
  const inTurn = (work: () => Promise<HttpResult>): Promise<HttpResult> => turns.run(caller, work);
  const version = (await route.version?.(actor, context.input)) ?? null;
  if (version === null) return inTurn(make);
  const packed = await keptAnswers.get(`${route.name} ${version}`, () => inTurn(make));
  return takesGzip(event.headers['accept-encoding']) ? packed : inTurn(() => unpacked(packed));
}

/** Parses what goes out, so that nothing leaves which the contract does not name. */
function toResult({ output: schema, bytes: type, success, taxii: isTaxii }: Operation, reply: Reply): HttpResult {
  const { output, status, headers, cookies, bytes, content } = reply;
  const contentType = schema ? (isTaxii ? taxiiType : 'application/json') : type;
  return {
    statusCode: status ?? success[0],
    headers: { ...(contentType !== undefined && { 'content-type': contentType }), ...headers },
    cookies: [...(cookies ?? [])],
    ...(schema && { body: JSON.stringify(schema.parse(output)) }),
    ...(bytes && { body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true }),
    ...(content && { content }),
  };
}
