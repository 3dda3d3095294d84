interface Waiting<V, R> {
  readonly value: V;
  readonly resolve: (found: R) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks one by one become few requests: those that come before this thread is idle go together, `most` at a time. */
export function gathering<V, R>(
  most: number,
  ask: (values: readonly V[]) => Promise<readonly R[]>,
): (value: V) => Promise<R> {
  let waiting: Waiting<V, R>[] = [];
  const send = async (batch: readonly Waiting<V, R>[]): Promise<void> => {
    try {
      const found = await ask(batch.map(({ value }) => value));
      for (const [place, { resolve }] of batch.entries()) resolve(found[place]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const sendAll = (): void => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) void send(all.slice(start, start + most));
  };
  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push({ value, resolve, reject });
      if (waiting.length === 1) setTimeout(sendAll);
    });
}
