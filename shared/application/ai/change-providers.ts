import type { AiProvider as Sent, InputOf, operations, OutputOf } from '@svc/contracts';
import { aiLimits, AppError, copyName, notFound, type Actor, type AiProvider } from '@svc/domain';
import { OutboundError } from '../ports/outbound-http.ts';
import type { Ports } from '../ports/ports.ts';
import type { TransactionPorts } from '../ports/transaction.ts';
import { aiTokenPlace, type AiProviderFields } from './ai-provider-store.ts';
import { presentProvider } from './present-provider.ts';

export type ChangeProviderPorts = Pick<Ports, 'clock' | 'outbound' | 'secretBox' | 'transaction'>;
type Named = { readonly id: number };

/** Adds a provider. */
export async function createAiProvider(
  ports: ChangeProviderPorts,
  _actor: Actor,
  input: InputOf<typeof operations.createAiProvider>,
): Promise<Sent> {
  const { api_token: token, is_default: isDefault, enabled: isEnabled, ...said } = input;
  checkAddress(ports, said.base_url);
  return ports.transaction(async (tx) => {
    if ((await tx.aiProviders.all()).length >= aiLimits.providers) {
      throw new AppError('conflict', `There are ${aiLimits.providers} AI providers already, which is all there can be`);
    }
    // The compiler holds that no field is left out.
    const fields = { ...fieldsOf(said), isEnabled } as AiProviderFields;
    const id = await tx.aiProviders.add(fields, ports.clock.now());
    await seal(ports, tx, id, token);
    if (isDefault) await tx.aiProviders.makeDefault(id);
    return presentProvider(await found(tx, id));
  });
}

/** Changes of a provider what the request says. */
export async function changeAiProvider(
  ports: ChangeProviderPorts,
  _actor: Actor,
  { id, api_token: token, ...said }: InputOf<typeof operations.changeAiProvider>,
): Promise<Sent> {
  if (said.base_url !== undefined) checkAddress(ports, said.base_url);
  return ports.transaction(async (tx) => {
    await found(tx, id);
    await tx.aiProviders.change(id, fieldsOf(said), ports.clock.now());
    await seal(ports, tx, id, token ?? '');
    return presentProvider(await found(tx, id));
  });
}

export const toggleAiProvider = changing((tx, { id, isEnabled }, at) =>
  tx.aiProviders.change(id, { isEnabled: !isEnabled }, at),
);
export const setDefaultAiProvider = changing((tx, { id }) => tx.aiProviders.makeDefault(id));
export const clearAiProviderToken = changing((tx, { id }) => tx.aiProviders.keepToken(id, null));

/** What changes a provider that there is, and answers with it. */
function changing(change: (tx: TransactionPorts, provider: AiProvider, at: Date) => Promise<void>) {
  return ({ clock, transaction }: Pick<Ports, 'clock' | 'transaction'>, _actor: Actor, { id }: Named): Promise<Sent> =>
    transaction(async (tx) => {
      await change(tx, await found(tx, id), clock.now());
      return presentProvider(await found(tx, id));
    });
}

/** Makes a copy with its token, which is sealed anew: it opens for its own provider alone. */
export async function duplicateAiProvider(
  { clock, secretBox, transaction }: Pick<Ports, 'clock' | 'secretBox' | 'transaction'>,
  _actor: Actor,
  { id }: Named,
): Promise<Sent> {
  return transaction(async (tx) => {
    const { id: _id, isDefault: _default, hasToken, createdAt: _at, updatedAt: _on, ...fields } = await found(tx, id);
    const taken = new Set((await tx.aiProviders.all()).map(({ name }) => name.toLowerCase()));
    if (taken.size >= aiLimits.providers) {
      throw new AppError('conflict', `There are ${aiLimits.providers} AI providers already, which is all there can be`);
    }
    const name = copyName(fields.name, taken, aiLimits.name);
    const copy = await tx.aiProviders.add({ ...fields, name }, clock.now());
    const sealed = hasToken ? await tx.aiProviders.sealedToken(id) : null;
    const token = sealed === null ? null : await secretBox.open(sealed, aiTokenPlace(id));
    if (token !== null) await tx.aiProviders.keepToken(copy, await secretBox.seal(token, aiTokenPlace(copy)));
    return presentProvider(await found(tx, copy));
  });
}

/** Deletes a provider. Its runs stay, under the name that it had. */
export async function deleteAiProvider(
  { transaction }: Pick<Ports, 'transaction'>,
  _actor: Actor,
  { id }: Named,
): Promise<OutputOf<typeof operations.deleteAiProvider>> {
  return transaction(async (tx) => {
    const { name } = await found(tx, id);
    await tx.aiProviders.remove(id);
    return { id, name };
  });
}

async function found({ aiProviders }: Pick<TransactionPorts, 'aiProviders'>, id: number): Promise<AiProvider> {
  const provider = await aiProviders.get(id);
  if (provider === null) throw notFound('AI provider');
  return provider;
}

async function seal({ secretBox }: ChangeProviderPorts, tx: TransactionPorts, id: number, token: string) {
  if (token !== '') await tx.aiProviders.keepToken(id, await secretBox.seal(token, aiTokenPlace(id)));
}

function checkAddress({ outbound }: ChangeProviderPorts, url: string): void {
  try {
    outbound.check('ai', url);
  } catch (error) {
    if (error instanceof OutboundError) throw new AppError('bad_request', `base_url: ${error.message}`);
    throw error;
  }
}

type Said = Omit<InputOf<typeof operations.changeAiProvider>, 'id' | 'api_token'>;

/** Under which names the code has what was said. */
const names = {
  name: 'name',
  kind: 'kind',
  base_url: 'baseUrl',
  model: 'model',
  temperature: 'temperature',
  max_output_tokens: 'maxOutputTokens',
  job_max_prompt_chars: 'jobMaxPromptChars',
  case_max_prompt_chars: 'caseMaxPromptChars',
  timeout_seconds: 'timeoutSeconds',
  system_prompt: 'systemPrompt',
  case_system_prompt: 'caseSystemPrompt',
  pseudonyms: 'pseudonyms',
  notes: 'notes',
} as const satisfies Record<keyof Said, keyof AiProviderFields>;

function fieldsOf(said: Said): Partial<AiProviderFields> {
  const given = (Object.keys(names) as (keyof Said)[]).filter((name) => said[name] !== undefined);
  // Each name stands for a field of the same type.
  return Object.fromEntries(given.map((name) => [names[name], said[name]])) as Partial<AiProviderFields>;
}
