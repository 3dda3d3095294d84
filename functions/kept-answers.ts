import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { HttpResult } from './http-event.ts';

type PackedAnswer = HttpResult & { readonly body: string };

/**
 * Answers that are large, cost much to make and stay as they are, compressed, the last used ones of a process. Those
 * who ask for one that is being made wait for it.
 */
export class KeptAnswers {
  readonly #mostBytes: number;
  readonly #kept = new Map<string, PackedAnswer>();
  readonly #making = new Map<string, Promise<PackedAnswer>>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Packed: what `unpacked` takes. */
  async get(key: string, make: () => Promise<HttpResult>): Promise<PackedAnswer> {
    const packed = this.#kept.get(key) ?? (await this.#made(key, make));
    this.#keep(key, packed);
    return packed;
  }

  async #made(key: string, make: () => Promise<HttpResult>): Promise<PackedAnswer> {
    const making = this.#making.get(key) ?? make().then(packedOf);
    this.#making.set(key, making);
    try {
      return await making;
    } finally {
      this.#making.delete(key);
    }
  }

  #keep(key: string, answer: PackedAnswer): void {
    if (answer.body.length > this.#mostBytes) return;
    if (this.#kept.delete(key)) this.#bytes -= answer.body.length;
    this.#kept.set(key, answer);
    this.#bytes += answer.body.length;
    for (const [oldest, { body }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= body.length;
    }
  }
}

async function packedOf(answer: HttpResult): Promise<PackedAnswer> {
  const body = await promisify(gzip)(answer.body ?? '', { level: constants.Z_BEST_SPEED });
  const headers = { ...answer.headers, 'content-encoding': 'gzip' };
  return { ...answer, headers, body: body.toString('base64'), isBase64Encoded: true };
}

/** The same for who does not take it packed; it costs more than to hand it out as it is. */
export async function unpacked(answer: PackedAnswer): Promise<HttpResult> {
  const body = await promisify(gunzip)(Buffer.from(answer.body, 'base64'));
  const { 'content-encoding': _, ...headers } = answer.headers ?? {};
  return { ...answer, headers, body: body.toString(), isBase64Encoded: false };
}
