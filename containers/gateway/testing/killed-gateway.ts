import { compose, usePorts } from '@svc/adapters/compose.ts';
import type { Transaction, TransactionPorts } from '@svc/application/ports/transaction.ts';

// The whole service, which kills itself at a step of what follows. The parent says at which, and by an argument what
// is one. That is what a request does: a step lies before the first call that these ports may change something in, after
// each of them, and at every piece of a file that is stored. With `resting` its workers take no tasks either.
const ports = compose('files', 'jobs', 'objects', 'receipts', 'tasks', 'uploads', 'watches');
// With `webhooks` it is the way of a match to a receiver: a step lies after every call that gets it further.
const webhookPorts = compose('tasks', 'webhookAttempts', 'webhookDeliveries', 'webhookSender');
const { transaction } = compose('transaction');
const isResting = process.argv[2] === 'resting';
const isOnWebhooks = process.argv[2] === 'webhooks';

/** These change nothing, and a death between two of them is like one before the first. */
const reads = /^(get|find|newest|has|open|exists|check|extend|receive|hold|list|take|totals)/;
let left = 0;
let isAtFirst = false;

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

/** Calls on the way of a match to a receiver. */
const wayOfWebhooks: Readonly<Record<string, RegExp>> = {
  rulePasses: /^(begin|recordEntities|recordJob|note)$/,
  tasks: /^(enqueue|acknowledge)$/,
  webhookAttempts: /^(begin|sending|end|drop)$/,
  webhookDeliveries: /^(add|takeDue)$/,
  webhookSender: /^send$/,
};

/** The port with a step after each call that found something to do for a webhook. */
function steppingOnWay<T extends object>(name: string, port: T, onChange?: () => void): T {
  return new Proxy(port, {
    get: (target, call) => {
      const value: unknown = Reflect.get(target, call, target);
      if (typeof value !== 'function') return value;
      if (!wayOfWebhooks[name]?.test(String(call))) return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await value.apply(target, args);
        const isIdle = result === false || (Array.isArray(result) && result.length === 0);
        if (isIdle || (name === 'tasks' && !isOfWebhook(args[0]))) return result;
        onChange?.();
        step();
        return result;
      };
    },
  });
}

/** A task that delivers to one, or the lease of it. */
function isOfWebhook(what: unknown): boolean {
  const { kind, task } = what as { kind?: string; task?: { kind?: string } };
  return (task?.kind ?? kind) === 'deliver_webhook';
}

/**
 * The port with a step after each of its calls, and one before the first of all: between two calls nothing changes but
 * memory, which the death of the process takes anyway.
 */
function stepping<T extends object>(port: T, onChange?: () => void): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'receive' && isResting) return () => new Promise(() => undefined);
      if (reads.test(String(name))) return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        onChange?.();
        if (isAtFirst) step();
        isAtFirst = false;
        const given = args.map((arg) => (isContent(arg) ? pieces(arg) : arg));
        const result: unknown = await value.apply(target, given);
        step();
        return result;
      };
    },
  });
}

/** Transactions with a step after each call within, and one after the commit of those that had any. */
const steppingTransaction: Transaction = async (work) => {
  let isChanging = false;
  const onChange = (): void => void (isChanging = true);
  const result = await transaction((tx) =>
    work(
      new Proxy(tx, {
        get: (_, name: keyof TransactionPorts) =>
          isOnWebhooks ? steppingOnWay<object>(name, tx[name], onChange) : stepping<object>(tx[name], onChange),
      }),
    ),
  );
  if (isChanging) step();
  return result;
};

const replaced = Object.fromEntries(
  isOnWebhooks
    ? Object.entries(webhookPorts).map(([name, port]) => [name, steppingOnWay<object>(name, port)])
    : Object.entries(ports).map(([name, port]) => [name, stepping<object>(port)]),
);
usePorts({ ...replaced, transaction: steppingTransaction });
const { serve } = await import('../serve.ts');
const { url } = await serve();
process.on('message', (steps) => {
  left = Number(steps);
  isAtFirst = true;
  process.send?.({ armed: left });
});
process.send?.({ url });
