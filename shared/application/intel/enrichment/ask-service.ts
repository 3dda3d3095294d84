import {
  filledRequest,
  enrichmentSummary,
  enrichmentVerdict,
  type EnrichmentSummary,
  type EntityType,
  type FilledRequest,
  type Verdict,
} from '@svc/domain';
import { OutboundError } from '../../ports/outbound-http.ts';
import type { Ports } from '../../ports/ports.ts';
import { enrichmentTokenPlace, type EnrichmentService } from './enrichment-services.ts';

export type AskPorts = Pick<
  Ports,
  'clock' | 'deployment' | 'enrichmentResults' | 'enrichmentServices' | 'log' | 'outbound' | 'rateLimiter' | 'secretBox'
>;

/** Whether somebody was asked; if not, why, and after how many seconds that may be different. */
export type Asking =
  | { readonly how: 'asked'; readonly ok: boolean }
  | { readonly how: 'rate_limited' | 'paused'; readonly waitSeconds: number };

/** What came of a request. */
interface Outcome {
  readonly ok: boolean;
  readonly summary: EnrichmentSummary;
  readonly verdict: Verdict;
  readonly error: string | null;
  readonly raw: string | null;
  /** Whether the next request would fail likewise, and after how many seconds the service says that it would not. */
  readonly isDown: boolean;
  readonly retryAfter: number | null;
}

/** A failure is asked about again after so long at most. */
const failureSeconds = 600;
/** After so many failures in a row a service is left alone, for so long at first and at most; a try may take so long. */
const [mostFailures, pauseSeconds, longestPause, trySeconds] = [5, 60, 900, 30];

/**
 * Asks a service about an entity and keeps what it says, or why it does not (resolved-platform 19). It is not asked more
 * often than its limit, which all processes count together, nor while it is left alone for its failures.
 */
export async function askService(
  ports: AskPorts,
  service: EnrichmentService,
  entity: { readonly id: number; readonly type: EntityType; readonly value: string },
): Promise<Asking> {
  const { clock, enrichmentResults, enrichmentServices, rateLimiter } = ports;
  const paused = pauseOf(service, clock.now());
  if (paused !== null) return paused;
  const bucket = `enrichment:${service.id}`;
  const perMinute = service.perMinute ?? ports.deployment.enrichment.perMinute;
  if (perMinute > 0 && !(await rateLimiter.take(bucket, perMinute))) {
    return { how: 'rate_limited', waitSeconds: Math.max(1, await rateLimiter.wait(bucket)) };
  }
  const begunAt = clock.now();
  if (!(await enrichmentServices.admit(service.id, begunAt, new Date(begunAt.getTime() + trySeconds * 1000)))) {
    return { how: 'paused', waitSeconds: trySeconds };
  }
  const outcome = await outcomeOf(ports, service, entity);
  const { raw, isDown, retryAfter, ...said } = outcome;
  const at = clock.now();
  const until = isDown ? pausedUntil(service.circuit.failures + 1, retryAfter, at) : null;
  await enrichmentServices.asked(service.id, isDown ? { ok: false, error: said.error ?? '', until } : { ok: true });
  const seconds = said.ok ? service.cacheTtlSeconds : Math.min(failureSeconds, service.cacheTtlSeconds);
  const expiresAt = new Date(at.getTime() + seconds * 1000);
  await enrichmentResults.save({ entityId: entity.id, serviceId: service.id, ...said, fetchedAt: at, expiresAt }, raw);
  ports.log.info('enrichment', { service_id: service.id, entity_id: entity.id, ok: said.ok, reason: said.error });
  return { how: 'asked', ok: said.ok };
}

/** How long a service is still left alone; null for one that is asked. */
export function pauseOf({ circuit: { openUntil } }: EnrichmentService, now: Date): (Asking & { how: 'paused' }) | null {
  if (openUntil === null || openUntil <= now) return null;
  return { how: 'paused', waitSeconds: Math.max(1, Math.ceil((openUntil.getTime() - now.getTime()) / 1000)) };
}

function pausedUntil(failures: number, retryAfter: number | null, now: Date): Date | null {
  if (retryAfter === null && failures < mostFailures) return null;
  const doubled = pauseSeconds * 2 ** Math.max(0, Math.min(10, failures - mostFailures));
  return new Date(now.getTime() + Math.min(longestPause, Math.max(1, retryAfter ?? doubled)) * 1000);
}

/** Of what goes wrong in an unforeseen way nothing is kept but its type: texts of errors quote addresses and headers. */
async function outcomeOf(
  ports: AskPorts,
  service: EnrichmentService,
  { type, value }: { readonly type: EntityType; readonly value: string },
): Promise<Outcome> {
  try {
    const { sealedToken } = service;
    const token = sealedToken && (await ports.secretBox.open(sealedToken, enrichmentTokenPlace(service.id)));
    const request = filledRequest(service, { type, value, token });
    if (request === null) return failed('no_endpoint');
    return await send(ports, service, request, token);
  } catch (error) {
    if (error instanceof OutboundError) return refused(error);
    return failed(error instanceof Error ? error.name : 'Error');
  }
}

function send(
  { outbound }: AskPorts,
  service: EnrichmentService,
  request: FilledRequest,
  token: string | null,
): Promise<Outcome> {
  return outbound.send({ purpose: 'enrichment', ...request }, async ({ status, retryAfter, body }) => {
    if (status < 200 || status > 299) return answered(status, retryAfter);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    const raw = withoutToken(new TextDecoder().decode(Buffer.concat(chunks)), token);
    const answer = parsed(raw);
    const said = { summary: enrichmentSummary(service, answer), verdict: enrichmentVerdict(service, answer) };
    return { ok: true, ...said, error: null, raw, isDown: false, retryAfter: null };
  });
}

/** Whether what is wrong is the question or whoever answers. */
function answered(status: number, retryAfter: string | null): Outcome {
  const isDown = status >= 500 || status < 400 || [401, 403, 408, 429].includes(status);
  const seconds = Number(retryAfter);
  const later = status === 429 ? (Number.isInteger(seconds) && seconds > 0 ? seconds : pauseSeconds) : null;
  return { ...failed(`http_${status}`), isDown, retryAfter: later };
}

function refused({ code, message }: OutboundError): Outcome {
  if (code === 'too_large') return failed('too_large');
  if (code === 'bad_url') return failed('no_endpoint');
  // It names the host or its address, and nothing else.
  if (code === 'refused_address') return failed(`blocked_target: ${message}`);
  return { ...failed('network_error'), isDown: true };
}

function failed(error: string): Outcome {
  return { ok: false, summary: {}, verdict: 'none', error, raw: null, isDown: false, retryAfter: null };
}

/** What is no JSON says nothing but its text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A service may repeat what it was sent. */
function withoutToken(text: string, token: string | null): string {
  if (token === null || token === '') return text;
  const spellings = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)];
  return spellings.reduce((said, spelling) => said.replaceAll(spelling, '[token]'), text);
}
