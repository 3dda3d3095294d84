import { call, operations, RequestError, type Operation, type OutputOf, type RequestOf } from '@svc/contracts';
import { useSyncExternalStore } from 'react';

/** Who waits for the password; the dialog of the frame asks for it once for all of them. */
let waiting: ((isGiven: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function settle(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Whether the password is to be asked for. */
export function useIsPasswordAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => waiting.length > 0,
  );
}

/** Confirms the password, and lets the calls that wait for it go on. */
export async function givePassword(password: string): Promise<void> {
  await call(operations.confirmPassword, { password });
  answer(true);
}

/** Lets what waits for the password be refused. */
export function withholdPassword(): void {
  answer(false);
}

function answer(isGiven: boolean): void {
  const asked = waiting;
  settle([]);
  for (const resolve of asked) resolve(isGiven);
}

/** Calls an operation for which the service may want the password again: then it is asked for, and the call repeated. */
export async function callConfirmed<O extends Operation>(operation: O, input: RequestOf<O>): Promise<OutputOf<O>> {
  try {
    return await call(operation, input);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'confirm_password') throw error;
    const isGiven = await new Promise<boolean>((resolve) => settle([...waiting, resolve]));
    if (!isGiven) throw error;
    return call(operation, input);
  }
}
