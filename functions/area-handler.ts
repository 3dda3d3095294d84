import { compose } from '@svc/adapters/compose.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { OperationName } from '@svc/contracts';
import type { HttpHandler } from './http-event.ts';
import { httpHandler } from './http-handler.ts';
import { route } from './route.ts';

type UseCaseOf<Row> = Row extends { readonly run: infer F } ? F : Row;
type NamesIn<F> = F extends (ports: infer P, ...rest: never[]) => unknown ? keyof P : never;
/** The ports that a table's use cases need. */
type PortNamesOf<T> = { [N in keyof T]: NamesIn<UseCaseOf<T[N]>> }[keyof T];

/** Nothing to add where the listed ports are exactly those that are needed; else a type that says which are not. */
type Checked<Listed, Needed> = [Exclude<Needed, Listed>, Exclude<Listed, Needed>] extends [never, never]
  ? unknown
  : { readonly missing: Exclude<Needed, Listed>; readonly unneeded: Exclude<Listed, Needed> };

/**
 * The Lambda handler of an area: its table of operations behind the middleware of all areas.
 * @param names - the ports that the table's use cases need, no more and no fewer
 */
export function areaHandler<N extends keyof Ports, T extends object>(
  names: readonly N[],
  table: T & Checked<N, PortNamesOf<T>>,
): HttpHandler {
  const ports = compose(...names);
  const rows = Object.entries(table) as [OperationName, Parameters<typeof route>[1]][];
  return httpHandler(rows.map(([name, row]) => route(name, row, ports)));
}
