import type { TestedJob, Why } from '@svc/contracts';
import { toWhyNot, whyNot } from '@svc/application/report/shown/why.ts';
import type { LogType } from '@svc/domain';
import type { Trial } from '@svc/engine';

/** Rules to compile, and a file to hold them against. */
export interface RuleWorkerRequest {
  readonly source: string;
  readonly file: File | null;
  /** An event to hold the first rule against, instead. */
  readonly event?: { readonly place: number; readonly fields: Readonly<Record<string, unknown>> };
}

/** What the compiler says of rules. */
export type CheckedRule = Omit<Trial, 'set'>;

/** What rules found in a file; as of a job. */
export interface TriedFile extends Pick<TestedJob, 'records' | 'rules' | 'events'> {
  readonly logType: LogType;
}

export type RuleWorkerReply =
  | { readonly at: 'reading'; readonly done: number }
  | { readonly at: 'checked'; readonly checked: CheckedRule }
  | { readonly at: 'tried'; readonly tried: Omit<TriedFile, 'logType'>; readonly logType: LogType }
  | { readonly at: 'explained'; readonly why: Why }
  | { readonly at: 'failed'; readonly message: string };

/** What no rule that somebody means takes to compile. */
const longestCheckMs = 10_000;

/** Compiles rules as the service does, in a worker of their own: whatever they are, the page goes on. */
export async function checkRule(source: string, signal: AbortSignal): Promise<CheckedRule> {
  const late = AbortSignal.timeout(longestCheckMs);
  try {
    const reply = await ask({ source, file: null }, AbortSignal.any([signal, late]));
    if (reply.at === 'checked') return reply.checked;
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
  }
  const message = `The rule takes more than ${longestCheckMs / 1000} s to compile`;
  return { rules: [], rejected: [{ path: 'rule', line: 1, message }], warnings: [] };
}

/** Holds rules against a file here in the browser; no byte of it leaves this machine. */
export async function tryOnFile(
  source: string,
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<TriedFile> {
  const reply = await ask({ source, file }, signal, onProgress);
  if (reply.at === 'tried') return { ...reply.tried, logType: reply.logType };
  throw new Error('The file could not be read. Choose it again.');
}

/** Tells here in the browser why a rule holds for an event. */
export async function explainHere(
  source: string,
  event: NonNullable<RuleWorkerRequest['event']>,
  signal: AbortSignal,
): Promise<Why> {
  const late = AbortSignal.timeout(longestCheckMs);
  try {
    const reply = await ask({ source, file: null, event }, AbortSignal.any([signal, late]));
    if (reply.at === 'explained') return reply.why;
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
  }
  return toWhyNot(event.place, whyNot.tooLong);
}

/** One question to a worker that is started for it; rejects with a sentence. */
function ask(
  request: RuleWorkerRequest,
  signal: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<RuleWorkerReply> {
  const worker = new Worker(new URL('./rule-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<RuleWorkerReply>((resolve, reject) => {
    const stop = (): void => reject(new DOMException('Stopped', 'AbortError'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    worker.addEventListener('message', ({ data }: MessageEvent<RuleWorkerReply>) => {
      if (data.at === 'reading') onProgress(data.done);
      else if (data.at === 'failed') reject(new Error(data.message));
      else resolve(data);
    });
    worker.addEventListener('error', () => reject(new Error('The rule could not be tried. Reload the page.')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
