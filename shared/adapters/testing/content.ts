/** An upload's content in these parts. */
export async function* contentOf(...parts: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

/** Content that breaks off after a part. */
export async function* brokenContent(message: string): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1000);
  throw new Error(message);
}
