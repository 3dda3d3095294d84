import type { MatchedEvent } from '@svc/contracts';

/** What a matched event says of who did what. */
export interface EventFacts {
  /** What it calls what ran or was changed: `command line`, `service`; its words are `text`. */
  readonly what: { readonly name: string; readonly text: string } | null;
  readonly account: string | null;
  /** Base name of the program that started what ran. */
  readonly parent: string | null;
}

/** Where endpoint products have the command line of what was started. */
const startedCommands = [
  'process.command_line',
  'tgt.process.cmdline',
  'tgtProcCmdLine',
  'target_cmdline',
  'command_line',
  'columns.cmdline',
];

/** Fields that tell what was done, what tells most first. */
const whatFields: readonly (readonly [name: string, fields: readonly string[]])[] = [
  ['command line', ['CommandLine', 'ProcessCommandLine', 'Cmdline', 'proctitle', ...startedCommands]],
  ['script', ['ScriptBlockText']],
  ['service', ['ServiceName']],
  ['task', ['TaskName']],
  ['registry value', ['TargetObject', 'registry.path', 'registry.keyPath', 'RegObjectName', 'regmod_name']],
  ['pipe', ['PipeName']],
  ['file', ['TargetFilename']],
  ['program', ['Image', 'NewProcessName', 'SourceImage', 'exe', 'comm']],
  ['operation', ['eventName', 'operationName', 'Operation']],
  ['request', ['cs-uri-stem']],
];
/** Who did it, before whom it was done to. */
const accountFields = ['User', 'SubjectUserName', 'TargetUserName', 'acct', 'UserId'];
const parentFields = ['ParentImage', 'ParentProcessName'];

export function factsOf({ fields }: Pick<MatchedEvent, 'fields'>): EventFacts {
  const text = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = fields[name];
      if (typeof value === 'string' && !/^\s*-?\s*$/.test(value)) return value.trim();
    }
    return null;
  };
  const what = whatFields.map(([name, names]) => ({ name, text: text(names) })).find((one) => one.text !== null);
  // Accounts of computers say what its system did, not who.
  const account = accountFields.map((name) => text([name])).find((name) => name !== null && !name.endsWith('$'));
  const parent = text(parentFields);
  return {
    what: what === undefined ? null : { name: what.name, text: what.text! },
    account: account ?? null,
    parent: parent === null ? null : (parent.split(/[\\/]/).at(-1) ?? parent),
  };
}
