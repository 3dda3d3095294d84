import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The session that it sets, if any. */
  readonly cookie: string | undefined;
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
      response.on('end', () => {
        const cookie = response.headers['set-cookie']?.map((each) => each.split(';')[0]).join('; ');
        resolve({ status: response.statusCode ?? 0, body, cookie, ms: performance.now() - from });
      });
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

/** Lines of a system log; every number makes others. */
export function systemLog(bytes: number, seed: number): Buffer {
  const lines: string[] = [];
  for (let left = bytes, at = 0; left > 0; at += 1) {
    const line = `Aug  1 10:${String(at % 60).padStart(2, '0')}:15 web${seed} sshd[${1000 + at}]: Accepted publickey for u${at} from 10.0.0.7 port ${at}\n`;
    lines.push(line);
    left -= line.length;
  }
  return Buffer.from(lines.join('')).subarray(0, bytes);
}
