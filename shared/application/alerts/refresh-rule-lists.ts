import { AppError, counted, notFound, ruleListLimits, type Actor, type RuleList } from '@svc/domain';
import type { InputOf, operations, RuleList as RuleListView } from '@svc/contracts';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import { presentRuleList } from './present-rule-list.ts';
import { readListSource } from './read-list-source.ts';
import type { ListFetch } from './rule-list-repository.ts';

export type RefreshListPorts = Pick<Ports, 'clock' | 'outbound' | 'ruleLists'>;

/** Reads the source of a list now (resolved-intel 12). What fails leaves its values, and is noted with it. */
export async function refreshRuleList(
  ports: RefreshListPorts,
  actor: Actor,
  { id }: InputOf<typeof operations.refreshRuleList>,
): Promise<RuleListView> {
  const list = await ports.ruleLists.get(id);
  if (list === null) throw notFound('list');
  if (list.sourceUrl === null) throw new AppError('conflict', 'The list has no source to read');
  await fetchList(ports, list, true);
  return presentRuleList(await ports.ruleLists.get(id), actor, await ports.ruleLists.users());
}

/** Reads the sources that are due, one after the other; returns how many lists have other values. */
export async function refreshDueLists(ports: RefreshListPorts & Pick<Ports, 'log'>): Promise<number> {
  let changed = 0;
  for (const list of await ports.ruleLists.due(ports.clock.now())) {
    const { error, found } = await fetchList(ports, list, false);
    if (error !== null) ports.log.warn('a list could not be read from its source', { list: list.name, reason: error });
    else if (found) changed += 1;
  }
  return changed;
}

async function fetchList(ports: RefreshListPorts, list: RuleList, isWanted: boolean): Promise<ListFetch> {
  const fetch = { ...(await outcomeOf(ports, list, isWanted)), at: ports.clock.now() };
  await ports.ruleLists.fetched(list, fetch);
  return fetch;
}

/** Says what is wrong in its own words: nothing of what the source has sent. */
async function outcomeOf(
  { outbound }: Pick<Ports, 'outbound'>,
  list: RuleList,
  isWanted: boolean,
): Promise<Omit<ListFetch, 'at'>> {
  try {
    return await outbound.send(
      {
        purpose: 'rule_list',
        method: 'GET',
        url: list.sourceUrl!,
        ...(list.sourceEtag !== null && { headers: { 'if-none-match': list.sourceEtag } }),
      },
      async ({ status, location, etag, body }) => {
        if (status === 304 && list.sourceEtag !== null) return { error: null };
        if (location !== null || (status >= 300 && status < 400))
          return failed('The source redirects to another address');
        if (status !== 200) return failed(`The source answered with HTTP status ${status}`);
        const text = await textOf(body);
        if (text === null) return failed('The source is not text in UTF-8');
        const values = readListSource(text);
        const problem = problemOf(values, list, isWanted);
        return problem === null ? { error: null, found: { values, etag } } : failed(problem);
      },
    );
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return failed(error.message);
  }
}

function problemOf(values: readonly string[], list: RuleList, isWanted: boolean): string | null {
  const most = ruleListLimits.values;
  if (values.length === 0) return 'The source has no usable values';
  if (values.length > most)
    return `The source has ${counted(values.length, 'value')}; a list holds ${counted(most, 'value')} at most`;
  const isFirst = list.lastFetchedAt === null;
  if (isWanted || isFirst || values.length >= list.values.length * ruleListLimits.leastKept) return null;
  return `The source has ${counted(values.length, 'value')} where there were ${list.values.length}; refresh the list to take them`;
}

function failed(why: string): Omit<ListFetch, 'at'> {
  return { error: why.slice(0, ruleListLimits.error) };
}

/** Null where it is none. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  try {
    const text = decoder.decode(Buffer.concat(chunks));
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
