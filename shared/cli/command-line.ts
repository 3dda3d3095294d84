import { Command, CommanderError } from '@commander-js/extra-typings';
import { UsageError } from './argument-values.ts';

/** Something that the call must have, or must not. */
const isOfCall = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.excessArguments',
]);

/** Columns that a help takes at most. */
const helpWidth = 92;

/** What was asked for is a text: a help, or the version. */
export interface Printed {
  readonly name: 'printed';
  readonly text: string;
}

/**
 * Reads arguments with the commands that `define` adds to a program, of which the one that is called hands over what
 * it made of them. Throws a `UsageError`.
 */
export function readCommandLine<T>(
  name: string,
  argv: readonly string[],
  define: (program: Command, take: (command: T) => void) => void,
): T | Printed {
  const program = new Command(name);
  let text = '';
  let taken: T | undefined;
  program
    .exitOverride()
    .configureOutput({ writeOut: (more) => (text += more), writeErr: () => undefined })
    .configureHelp({
      helpWidth,
      // The name alone, for what is called like the rest of the list.
      subcommandTerm: (command) => [command.name(), argumentsOf(command as Command)].join(' ').trim(),
      optionDescription: ({ description, argChoices, defaultValue }) => {
        const choices = argChoices && argChoices.length <= 6 ? `: ${argChoices.join(', ')}` : '';
        return `${description}${choices}${typeof defaultValue === 'string' ? ` [${defaultValue}]` : ''}`;
      },
      argumentDescription: ({ description }) => description,
      showGlobalOptions: false,
    })
    .helpOption('-h, --help', 'this text');
  define(program, (command) => (taken = command));
  program.helpOption('-h, --help', 'this text; after a command, its own').helpCommand(false);
  program.hook('preAction', (_, command) => refuseSwallowed(command.opts()));
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { name: 'printed', text };
    const at = called(program, argv);
    throw new UsageError(sentence(error, at), { command: pathOf(at), cause: error });
  }
  if (taken === undefined) throw new Error(`svc ${argv[0]} hands nothing over`);
  return taken;
}

/** An option whose value was forgotten takes the next option for it. */
function refuseSwallowed(options: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(options).flat()) {
    if (typeof value === 'string' && /^--?[a-z]/i.test(value)) {
      throw new UsageError(`${value} stands where a value is wanted; for one that begins so, put ./ before it`);
    }
  }
}

/** The command that the arguments name; the program where they name none. */
function called(program: Command, argv: readonly string[]): Command {
  let at = program;
  for (const word of argv) {
    const next = at.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    at = next as Command;
  }
  return at;
}

/** What is wrong, and how it is meant to be called. */
function sentence({ code, message }: CommanderError, command: Command): string {
  const plain = message.replace(/^error: /, '');
  const callable = command.commands.map((one) => one.name()).join(', ');
  if (code === 'commander.help') return `Say what to do: ${pathOf(command)} takes one of ${callable}`;
  if (code === 'commander.unknownCommand') return `${plain}\nThere are ${callable}`;
  return isOfCall.has(code) ? `${plain}\nIt is: ${pathOf(command)} ${command.usage()}` : plain;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent as Command)} ${command.name()}`;
}

function argumentsOf(command: Command): string {
  if (command.commands.length > 0) return 'COMMAND';
  return command.registeredArguments.map((one) => `${one.name()}${one.variadic ? '…' : ''}`).join(' ');
}
