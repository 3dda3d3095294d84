import { operations, type EntityList, type EntityRow } from '@svc/contracts';
import { entityKey, entityLimits, type EntityType } from '@svc/domain';
import { entitiesIn, entitiesTable, entityText, type ShownEntity } from '../formats/entities.ts';
import { styleFor } from '../formats/style.ts';
import { number, printable } from '../formats/text.ts';
import type { IntelSearchCommand, IntelShowCommand, IntelTagCommand } from '../intel-arguments.ts';
import type { Service } from '../service/service.ts';
import { withService } from '../service/with-service.ts';
import { exitCodes } from '../submission/exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** Prints the entities that meet a search; resolves to the exit code. */
export function searchEntities(command: IntelSearchCommand, terminal: Terminal): Promise<number> {
  return withService(command, terminal, async (service, signal) => {
    const asked = {
      q: command.query,
      sort: command.sort,
      ...(command.job !== undefined && { job: command.job }),
    };
    const found: EntityRow[] = [];
    let list: EntityList | undefined;
    do {
      const cursor = list?.older;
      const next = { ...asked, page: (list?.page ?? 0) + 1, ...(cursor && { cursor }) };
      list = await service.call(operations.listEntities, next, { signal });
      if (list.query_errors.length > 0) {
        terminal.err(problemsText(command.query, list.query_errors));
        return 2;
      }
      found.push(...list.items);
    } while (found.length < command.limit && list.older !== null);
    for (const notice of list.notices) terminal.err(`svc: ${printable(notice)}\n`);
    const shown = found.slice(0, command.limit);
    if (command.format === 'json') terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    else if (command.format === 'jsonl') for (const row of shown) terminal.out(`${JSON.stringify(row)}\n`);
    else terminal.out(entitiesTable(shown, list.total, { width: terminal.width, style: styleFor(terminal.colour) }));
    return 0;
  });
}

/** Prints what is known of a value, of each type that has it; resolves to the exit code. */
export function showEntity(command: IntelShowCommand, terminal: Terminal): Promise<number> {
  return withService(command, terminal, async (service, signal) => {
    const ids = await idsOf(service, command, signal);
    if (ids.length === 0) {
      terminal.err(`svc: no log names ${printable(command.value)}\n`);
      return exitCodes.incomplete;
    }
    const shown: ShownEntity[] = [];
    for (const id of ids) {
      shown.push({
        entity: await service.call(operations.getEntity, { id }, { signal }),
        jobs: await service.call(operations.listEntityJobs, { id }, { signal }),
        findings: await service.call(operations.listEntityFindings, { id }, { signal }),
      });
    }
    if (command.format === 'json') terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    else terminal.out(shown.map(entityText).join('\n'));
    return 0;
  });
}

/** Gives values a tag, or takes it off them; resolves to the exit code. */
export function tagEntities(command: IntelTagCommand, terminal: Terminal): Promise<number> {
  return withService(command, terminal, async (service, signal) => {
    const ids: number[] = [];
    const missing: string[] = [];
    for (const value of command.values) {
      const found = await idsOf(service, { value, type: command.type }, signal);
      if (found.length === 0) missing.push(value);
      ids.push(...found);
    }
    const unique = [...new Set(ids)];
    let changed = 0;
    for (let at = 0; at < unique.length; at += entityLimits.atOnce) {
      const some = { entity_ids: unique.slice(at, at + entityLimits.atOnce), tag: [command.tag] };
      const done = command.isOff
        ? await service.call(operations.untagEntities, some, { signal })
        : await service.call(operations.tagEntities, some, { signal });
      changed += done.entity_ids.length;
    }
    if (command.format === 'json') {
      terminal.out(`${JSON.stringify({ entities: unique.length, changed, missing }, null, 2)}\n`);
    } else {
      terminal.out(
        `${command.isOff ? `Took “${command.tag}” off` : `Tagged “${command.tag}”:`} ${number(changed)} of ${entitiesIn(unique.length)}\n`,
      );
      for (const value of missing) terminal.err(`svc: no log names ${printable(value)}\n`);
    }
    return missing.length > 0 ? exitCodes.incomplete : 0;
  });
}

/** Entities that have this value, whatever its case: by `#` and its number the one that has that. */
async function idsOf(
  service: Service,
  { value, type }: { readonly value: string; readonly type: EntityType | undefined },
  signal: AbortSignal,
): Promise<number[]> {
  const id = /^#(\d{1,9})$/.exec(value)?.[1];
  if (id !== undefined) return [Number(id)];
  const asked = { q: exactly(value), sort: 'jobs', ...(type !== undefined && { types: type }) };
  const { items } = await service.call(operations.listEntities, asked, { signal });
  return items.filter((item) => entityKey(item.value) === entityKey(value)).map((item) => item.id);
}

/** A search for this value: as a whole where the language can say so, else by what stands around what it cannot. */
function exactly(value: string): string {
  if (/^[^,()"\s][^,()"]*$/.test(value)) return `in:(${value})`;
  return `"^${value.replaceAll(/["^$]/g, '*')}$"`;
}

/** The query with a mark below what cannot be used, and the reason. */
function problemsText(query: string, problems: EntityList['query_errors']): string {
  const line = printable(query);
  return problems
    .map(({ start, end, reason }) => {
      const mark = `${' '.repeat(start)}${'^'.repeat(Math.max(1, end - start))}`;
      return `svc: at ${start + 1}: ${printable(reason)}\n  ${line}\n  ${mark}\n`;
    })
    .join('');
}
