import { operations, RequestError } from '@svc/contracts';
import { UsageError } from '../argument-values.ts';
import { persist } from '../service/persist.ts';
import type { Service } from '../service/service.ts';
import { caseKey } from './idempotency-key.ts';

/** The most that are listed at once. */
const mostCases = 500;

/**
 * The id of the case that is asked for, which is made when it is to be new. Throws as `Service` does, and
 * a `UsageError` when no case, or several, have that name.
 */
export async function chooseCase(
  service: Service,
  asked: { readonly isNew: boolean; readonly name: string } | undefined,
  signal: AbortSignal,
): Promise<number | null> {
  if (asked === undefined) return null;
  const { isNew, name } = asked;
  if (isNew) return persist(() => makeCase(service, name, signal), { signal });
  if (/^\d{1,10}$/.test(name)) return Number(name);
  const cases = await persist(() => service.call(operations.listCases, { limit: mostCases }, { signal }), { signal });
  const found = cases.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  const [only] = found;
  if (only === undefined) throw new UsageError(`There is no open case "${name}"; --new-case makes one`);
  if (found.length === 1) return only.id;
  throw new UsageError(`There are several cases "${name}": say --case ${found.map(({ id }) => id).join(' or ')}`);
}

/** The same name makes the same case in every call, so that a call can be repeated. */
async function makeCase(service: Service, name: string, signal: AbortSignal): Promise<number> {
  try {
    const options = { signal, idempotencyKey: caseKey(name) };
    return (await service.call(operations.createCase, { name, is_shared: false }, options)).case_id;
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'case_gone') throw error;
    throw new UsageError(`The case "${name}" was made by svc before and deleted since; choose another name`, {
      cause: error,
    });
  }
}
