import { dataNameLists } from './data-name-lists.ts';

const subject = 'SubjectUserSid,SubjectUserName,SubjectDomainName,SubjectLogonId*';
const target = 'TargetUserName,TargetDomainName,TargetSid';

/** A name of an event's data, empty where it is not known. */
export interface DataName {
  readonly name: string;
  /** Whether Windows writes the number under it in hexadecimal. */
  readonly isHex: boolean;
}

/** Lists by event id, of the providers that have been asked for. */
const known = new Map<string, ReadonlyMap<string, readonly (readonly DataName[])[]>>();

/** Names of the data of an event with so many values, in their order; undefined where they are not known. */
export function dataNames(provider: string, eventId: string, count: number): readonly DataName[] | undefined {
  return listsOf(provider)
    .get(eventId)
    ?.find((names) => names.length === count);
}

/** All names that data of such an event has in any version. */
export function everyDataName(provider: string, eventId: string): readonly string[] {
  const lists = listsOf(provider).get(eventId) ?? [];
  return [...new Set(lists.flatMap((names) => names.map(({ name }) => name)))].filter((name) => name !== '');
}

function listsOf(provider: string): ReadonlyMap<string, readonly (readonly DataName[])[]> {
  const found = known.get(provider);
  if (found !== undefined) return found;
  const lists = new Map<string, (readonly DataName[])[]>();
  const text = Object.hasOwn(dataNameLists, provider) ? dataNameLists[provider]! : '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const blank = line.indexOf(' ');
    const names = namesOf(line.slice(blank + 1));
    for (const id of line.slice(0, blank).split(',')) lists.set(id, [...(lists.get(id) ?? []), names]);
  }
  // Providers of a log may be any text, and only those of the table are kept.
  if (text !== '') known.set(provider, lists);
  return lists;
}

function namesOf(list: string): readonly DataName[] {
  const names = list.replace('$s', subject).replace('$t', target).split(',');
  return names.map((name) => ({ name: name.replace('*', ''), isHex: name.endsWith('*') }));
}
