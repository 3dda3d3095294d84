import { compose, usePorts } from '@svc/adapters/compose.ts';
import type { Transaction, TransactionPorts } from '@svc/application/ports/transaction.ts';

// The whole service, which kills itself at a step of the next request: a step lies before and after every call
// that these ports may change something in, and at every piece of a file that is stored. The parent says at which.
// With the argument `resting` its workers take no tasks.
const ports = compose('files', 'jobs', 'objects', 'receipts', 'tasks', 'uploads', 'watches');
const { transaction } = compose('transaction');
const isResting = process.argv[2] === 'resting';

/** These change nothing, and a death between two of them is like one before the first. */
const reads = /^(get|find|newest|has|open|exists|check|extend|receive|hold|list|take|totals)/;
let left = 0;

function step(): void {
  if (left === 0) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

async function* pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    yield piece;
    step();
  }
}

function isContent(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The port with a step before and after each of its calls. */
function stepping<T extends object>(port: T, onChange?: () => void): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'receive' && isResting) return () => new Promise(() => undefined);
      if (reads.test(String(name))) return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        onChange?.();
        step();
        const given = args.map((arg) => (isContent(arg) ? pieces(arg) : arg));
        const result: unknown = await value.apply(target, given);
        step();
        return result;
      };
    },
  });
}

/** Transactions with a step before and after each call within, and one after the commit of those that had any. */
const steppingTransaction: Transaction = async (work) => {
  let isChanging = false;
  const onChange = (): void => void (isChanging = true);
  const result = await transaction((tx) =>
    work(new Proxy(tx, { get: (_, name: keyof TransactionPorts) => stepping<object>(tx[name], onChange) })),
  );
  if (isChanging) step();
  return result;
};

const replaced = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, stepping<object>(port)]));
usePorts({ ...replaced, transaction: steppingTransaction });
const { serve } = await import('../serve.ts');
const { url } = await serve();
process.on('message', (steps) => {
  left = Number(steps);
  process.send?.({ armed: left });
});
process.send?.({ url });
