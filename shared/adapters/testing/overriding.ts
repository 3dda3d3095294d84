import type { Transaction, TransactionPorts } from '@svc/application/ports/transaction.ts';

/** A port that does as `methods` say, and all else as the real one does. */
export function overriding<T extends object>(port: T, methods: Partial<T>): T {
  return new Proxy(port, {
    get: (target, name) => {
      const other: unknown = Reflect.get(methods, name);
      if (other !== undefined) return other;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}

/** Transactions whose repositories do as `methods` say, and all else as the real ones do. */
export function overridingIn(
  transaction: Transaction,
  methods: { readonly [P in keyof TransactionPorts]?: Partial<TransactionPorts[P]> },
): Transaction {
  return (work) =>
    transaction((tx) =>
      work(
        new Proxy(tx, {
          get: (_, name: keyof TransactionPorts) =>
            methods[name] ? overriding<object>(tx[name], methods[name]) : tx[name],
        }),
      ),
    );
}
