import type { InputOf, operations } from '@svc/contracts';
import { AppError, hasRole, isInFlight, notFound, type Actor, type AiSubject } from '@svc/domain';
import type { Ports } from '../ports/ports.ts';
import { presentHead, type PresentPorts } from './present-run.ts';
import { RunFeeds, type FedRun } from './run-feed.ts';
import { visibleSubject } from './run-subject.ts';

export type FollowPorts = PresentPorts & Pick<Ports, 'cases' | 'jobViews'>;
type Asked = InputOf<typeof operations.followJobAiRun>;

/** Below what any proxy waits for; by then it is looked again whether the viewer may still read. */
const beatMs = 15_000;

const feeds = new WeakMap<Ports['aiRuns'], RunFeeds>();

/** What a stream of events is told by; lines of it are for browsers' `EventSource`. */
export interface Following {
  /** The header `Last-Event-ID`: how far the text was read. */
  readonly lastEventId?: string | undefined;
  /** Ends with what is next, for who cannot be sent anything while it is made; they come again. @default false */
  readonly isOnce?: boolean;
}

export function followJobAiRun(ports: FollowPorts, actor: Actor, asked: Asked & Following) {
  return follow(ports, actor, 'job', asked);
}

export function followCaseAiRun(ports: FollowPorts, actor: Actor, asked: Asked & Following) {
  return follow(ports, actor, 'case', asked);
}

/** Rejects where there is nothing to follow; what is followed ends with the run. */
async function follow(
  ports: FollowPorts,
  actor: Actor,
  subject: AiSubject,
  { id, rid, lastEventId, isOnce = false }: Asked & Following,
): Promise<AsyncIterable<Uint8Array>> {
  const check = async (): Promise<void> => {
    const of = await visibleSubject(ports, actor, subject, id);
    if ((await ports.aiRuns.one(actor, of, rid)) === null) throw notFound('AI run');
  };
  await check();
  return encoded(events(ports, actor, { rid, check, isOnce, from: placeOf(lastEventId) }));
}

interface Followed {
  readonly rid: number;
  /** Throws when the viewer may not read it any more. */
  readonly check: () => Promise<void>;
  readonly from: number;
  readonly isOnce: boolean;
}

async function* events(
  ports: FollowPorts,
  actor: Actor,
  { rid, check, from, isOnce }: Followed,
): AsyncGenerator<string> {
  const ofPorts = feeds.get(ports.aiRuns) ?? new RunFeeds(ports.aiRuns);
  feeds.set(ports.aiRuns, ofPorts);
  const feed = ofPorts.enter(rid);
  const isAdmin = hasRole(actor, 'admin');
  const onceUntil = performance.now() + beatMs;
  let seen: FedRun | null = null;
  let place = from;
  try {
    yield 'retry: 1000\n\n';
    for (;;) {
      const now = await feed.after(seen, isOnce ? Math.max(0, onceUntil - performance.now()) : beatMs);
      if (now === 'gone') return;
      if (now === 'same') {
        await check();
        yield ': still here\n\n';
        if (isOnce) return;
        continue;
      }
      if (now.run.status !== seen?.run.status) yield event('status', await presentHead(ports, actor, now.run));
      if (isAdmin && now.log !== (seen?.log ?? '')) yield event('log', logChange(seen?.log ?? '', now.log));
      // Who has read further than there is, has read something else.
      const start = place > now.text.length ? 0 : place;
      if (start < now.text.length || start < place) {
        yield event('text', { start, text: now.text.slice(start) }, now.text.length);
        place = now.text.length;
      }
      seen = now;
      if (!isInFlight(now.run)) {
        yield event('done', { status: now.run.status });
        return;
      }
      if (isOnce && place > from) return;
    }
  } catch (error) {
    // Not visible any more, or gone: whoever comes again is told so.
    if (!(error instanceof AppError)) throw error;
  } finally {
    feed.leave();
  }
}

function logChange(before: string, now: string): { readonly start: number; readonly text: string } {
  return now.startsWith(before) ? { start: before.length, text: now.slice(before.length) } : { start: 0, text: now };
}

function event(name: string, data: object, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function placeOf(lastEventId: string | undefined): number {
  return lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
