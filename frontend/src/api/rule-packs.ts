import { call, operations, problemOf, type RequestOf, type RulePack } from '@svc/contracts';
import { queryOptions } from '@tanstack/react-query';
import { hashFile } from './hash-file.ts';
import { invalidate } from './query-client.ts';
import { operationQuery, queryKey } from './query-key.ts';
import { sendBody } from './send-body.ts';

/** All rule packs with their versions in force, by name, and what is to be done about them. */
export const rulePacksQuery = queryOptions(operationQuery(operations.listRulePacks, {}));

/** The packs that logs are held against, by name, for members. */
export const packsInForceQuery = queryOptions(operationQuery(operations.listPacksInForce, {}));

/** What the rules in force see of ATT&CK given the logs that were received. */
export const coverageQuery = queryOptions(operationQuery(operations.getCoverage, {}));

/** The release of SigmaHQ, where none of its rules are here. */
export const offeredPackQuery = queryOptions({
  ...operationQuery(operations.getOfferedPack, {}),
  staleTime: 600_000,
});

/** A pack with its kept versions and what was decided about its rules. */
export function rulePackQuery(name: string) {
  return queryOptions(operationQuery(operations.getRulePack, { name }));
}

/** A page of a pack's rules that pass filters, and what the pack covers. */
export function packRulesQuery(name: string, filters: Omit<RequestOf<typeof operations.listRules>, 'name'>) {
  return queryOptions(operationQuery(operations.listRules, { name, ...filters }));
}

/** A rule of a pack with its source and where it fired. */
export function packRuleQuery(name: string, id: string) {
  return queryOptions(operationQuery(operations.getRule, { name, rule_id: id }));
}

/** What became of the rules of a pack's version in force. */
export function packReportQuery(name: string) {
  return queryOptions(operationQuery(operations.getRulePackReport, { name }));
}

/** Sends an archive and has it taken as a pack; rejects with the refusal of either. */
export async function importPackFile(file: File, name: string | undefined): Promise<RulePack> {
  const { signal } = new AbortController();
  const sha256 = await hashFile(file, { signal, onProgress: () => undefined });
  const ticket = await call(operations.createUpload, { filename: file.name, size_bytes: file.size, sha256 });
  const sent = await sendBody(ticket, file, { signal, onProgress: () => undefined });
  if (!sent.ok) throw await problemOf(sent);
  return taken(await call(operations.importRulePack, { upload_id: ticket.upload_id, ...(name && { name }) }));
}

/** Has the pack at an address taken, which is looked at again for newer versions. */
export async function importPackUrl(url: string, name: string | undefined): Promise<RulePack> {
  return taken(await call(operations.importRulePack, { url, ...(name && { name }) }));
}

async function taken({ pack }: { readonly pack: RulePack }): Promise<RulePack> {
  await refreshPacks();
  return pack;
}

/** Reads anew what is known of packs. */
export async function refreshPacks(): Promise<void> {
  await invalidate(
    queryKey(operations.listRulePacks),
    queryKey(operations.listPacksInForce),
    queryKey(operations.getCoverage),
    queryKey(operations.getOfferedPack),
    queryKey(operations.getRulePack),
    queryKey(operations.getRulePackReport),
    queryKey(operations.listRules),
    queryKey(operations.getRule),
  );
}
