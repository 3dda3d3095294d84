import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** From the first byte sent to the last one read, in milliseconds. */
  readonly ms: number;
}

export type Content = Uint8Array | { readonly bytes: number; readonly parts: Iterable<Uint8Array> };

const agent = new Agent({ keepAlive: true });

/** One request on a connection that is kept; cheaper than `fetch`, which shares the machine with what it measures. */
export function send(
  url: string,
  { method = 'GET', headers = {}, content }: { method?: string; headers?: OutgoingHttpHeaders; content?: Content } = {},
): Promise<Answer> {
  const length = content instanceof Uint8Array ? content.length : (content?.bytes ?? 0);
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method, headers: { ...headers, 'content-length': length } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, ms: performance.now() - from }));
    });
    sending.on('error', reject);
    if (content instanceof Uint8Array) sending.end(content);
    else if (content) pump(content.parts, sending).catch(reject);
    else sending.end();
  });
}

async function pump(parts: Iterable<Uint8Array>, into: ReturnType<typeof request>): Promise<void> {
  for (const part of parts) {
    if (!into.write(part)) await new Promise((resolve) => into.once('drain', resolve));
  }
  into.end();
}

const boundary = 'svc-bench-boundary';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** What stands before and after the file of a form. */
export function formAround(fields: Readonly<Record<string, string | number>>, fileName: string): [Buffer, Buffer] {
  const part = (name: string, rest = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  const values = Object.entries(fields).map(([name, value]) => `${part(name)}${value}\r\n`);
  const head = `${values.join('')}${part('file', `; filename="${fileName}"`)}`;
  return [Buffer.from(head), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

/** Calls `work` for each of the numbers below `count`, so many at a time. */
export async function inParallel(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
