import type { InputOf, operations, RuleList as RuleListView } from '@svc/contracts';
import { AppError, notFound, type Actor } from '@svc/domain';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import { presentRuleList, usersOf } from './present-rule-list.ts';
import type { RuleListChange } from './rule-list-repository.ts';

type WritePorts = Pick<Ports, 'clock' | 'outbound' | 'ruleLists'>;

/** Makes a list; throws `conflict` when another has its name. */
export async function createRuleList(
  ports: WritePorts,
  actor: Actor,
  {
    name,
    match,
    description,
    values,
    source_url: sourceUrl,
    refresh_hours: refreshHours,
  }: InputOf<typeof operations.createRuleList>,
): Promise<RuleListView> {
  checkSource(ports, sourceUrl);
  const list = { name, match, description, values, sourceUrl, refreshHours };
  const added = await ports.ruleLists.add(list, ports.clock.now());
  if (added === null) throw new AppError('conflict', `There is a list “${name}” already`);
  return presentRuleList(added, actor, await ports.ruleLists.users());
}

/** Changes a list, which from then on no start of the service changes. */
export async function editRuleList(
  ports: WritePorts,
  actor: Actor,
  {
    id,
    match,
    description,
    values,
    source_url: sourceUrl,
    refresh_hours: refreshHours,
  }: InputOf<typeof operations.editRuleList>,
): Promise<RuleListView> {
  if (sourceUrl !== undefined) checkSource(ports, sourceUrl);
  const list = await ports.ruleLists.get(id);
  if (list === null) throw notFound('list');
  const isOther = sourceUrl !== undefined && sourceUrl !== list.sourceUrl;
  const changes: RuleListChange = {
    ...(match !== undefined && { match }),
    ...(description !== undefined && { description }),
    ...(values !== undefined && { values }),
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(refreshHours !== undefined && { refreshHours }),
    // What is known of a source is of that one; and what its values say is no longer what it said.
    ...(isOther && { lastFetchedAt: null, lastFetchOk: null, lastFetchError: null }),
    ...((isOther || values !== undefined) && { sourceEtag: null }),
    seedHash: null,
  };
  await ports.ruleLists.change(id, changes, ports.clock.now());
  return presentRuleList(await ports.ruleLists.get(id), actor, await ports.ruleLists.users());
}

/** Throws `list_in_use` while a rule on entities names the list. */
export async function deleteRuleList(
  { transaction }: Pick<Ports, 'transaction'>,
  _actor: Actor,
  { id }: InputOf<typeof operations.deleteRuleList>,
): Promise<void> {
  await transaction(async ({ ruleLists }) => {
    const list = await ruleLists.get(id);
    if (list === null) throw notFound('list');
    const used = usersOf(list, await ruleLists.users());
    if (used.length > 0) throw new AppError('list_in_use', `The list is used by ${named(used)}`);
    await ruleLists.remove(id);
  });
}

function named(rules: readonly string[]): string {
  const first = rules.slice(0, 5).map((name) => `“${name}”`);
  return first.join(', ') + (rules.length > first.length ? ` and ${rules.length - first.length} more` : '');
}

/** Throws for an address that can be refused without asking anybody. */
function checkSource({ outbound }: Pick<Ports, 'outbound'>, url: string | null): void {
  if (url === null) return;
  try {
    outbound.check('rule_list', url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new AppError('bad_request', `source_url: ${error.message}`, { cause: error });
  }
}
