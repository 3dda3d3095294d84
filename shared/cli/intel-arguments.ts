import { type Command as Definition, Option } from '@commander-js/extra-typings';
import { entityTypes, tagName, type EntityType } from '@svc/domain';
import { choiceOfFormat, serverOption, UsageError, wholeNumber } from './argument-values.ts';
import type { ServiceOptions } from './service/read-credentials.ts';

const listFormats = ['table', 'json', 'jsonl'] as const;
const shownFormats = ['table', 'json'] as const;
const sorts = ['last_seen', 'first_seen', 'jobs', 'value', 'watchlist'] as const;

export interface IntelSearchCommand extends ServiceOptions {
  readonly name: 'intel search';
  readonly query: string;
  /** Undefined for all. */
  readonly job: number | undefined;
  readonly sort: string;
  readonly limit: number;
  readonly format: (typeof listFormats)[number];
}

export interface IntelShowCommand extends ServiceOptions {
  readonly name: 'intel show';
  readonly value: string;
  readonly type: EntityType | undefined;
  readonly format: (typeof shownFormats)[number];
}

export interface IntelTagCommand extends ServiceOptions {
  readonly name: 'intel tag';
  readonly tag: string;
  readonly values: readonly string[];
  readonly type: EntityType | undefined;
  /** Whether it is taken off. */
  readonly isOff: boolean;
  readonly format: (typeof shownFormats)[number];
}

export type IntelCommand = IntelSearchCommand | IntelShowCommand | IntelTagCommand;

const insecure = ['--insecure-http', 'send the token over plain http to another machine', false] as const;
const endText = (scopes: string, last: string) => `
The token comes from SVC_TOKEN or from svc login; it needs the scope ${scopes}.

Exit code: 0 when it was done; 2 when the command line or the search cannot be understood;
3 when ${last}; 4 when the service is out of reach;
5 when there is no token or it is refused; 130 when interrupted.`;

export function defineIntel(command: Definition, take: (command: IntelCommand) => void): void {
  command
    .summary('search what logs name, at a service')
    .description('Entities: accounts, computers, addresses, hashes and more that the logs of a service name.')
    .usage('COMMAND …')
    .helpCommand(false);
  defineSearch(command.command('search'), take);
  defineShow(command.command('show'), take);
  defineTag(command.command('tag'), take);
}

function defineSearch(command: Definition, take: (command: IntelSearchCommand) => void): void {
  command
    .summary('list the entities that meet a search')
    .description('Lists the entities that meet a search in the language of the page; none for all of them.')
    .usage('[QUERY] [--server URL] [options]')
    .argument('[QUERY]', "as 'type:ip cidr:10.0.0.0/8 -tag:ours'")
    .addOption(serverOption())
    .option(...insecure)
    .option('--job <NUMBER>', 'of this job alone', wholeNumber(1))
    .addOption(new Option('--sort <ORDER>', 'what comes first').choices(sorts).default('last_seen' as const))
    .option('--reverse', 'the other way round', false)
    .option('--limit <NUMBER>', 'rows at most [50]', wholeNumber(1), 50)
    .addOption(choiceOfFormat(listFormats, 'table'))
    .addHelpText('after', endText('intel:read', 'the service refuses it'))
    .action((query = '', { sort, reverse, ...options }) =>
      take({
        name: 'intel search',
        query,
        sort: `${reverse ? '-' : ''}${sort}`,
        job: options.job,
        limit: options.limit,
        server: options.server,
        insecureHttp: options.insecureHttp,
        format: options.format,
      }),
    );
}

function defineShow(command: Definition, take: (command: IntelShowCommand) => void): void {
  command
    .summary('tell what is known of a value')
    .description('Tells what is known of a value, of each type that has it: tags, note, jobs and findings.')
    .usage('VALUE [--server URL] [options]')
    .argument('<VALUE>', 'the whole value, in whatever case, or # and the number of an entity')
    .addOption(serverOption())
    .option(...insecure)
    .addOption(typeOption())
    .addOption(choiceOfFormat(shownFormats, 'table'))
    .addHelpText('after', endText('intel:read', 'no log names it'))
    .action((value, { server, insecureHttp, type, format }) =>
      take({ name: 'intel show', value, server, insecureHttp, type, format }),
    );
}

function defineTag(command: Definition, take: (command: IntelTagCommand) => void): void {
  command
    .summary('tag values, or take a tag off them')
    .description('Gives values a tag, or takes it off them; of each type that has the value, unless one is named.')
    .usage('TAG VALUE… [--off] [--server URL] [options]')
    .argument('<TAG>', 'its name; a new one joins the vocabulary')
    .argument('<VALUE...>', 'whole values, in whatever case, or # and the number of an entity')
    .option('--off', 'take the tag off them', false)
    .addOption(serverOption())
    .option(...insecure)
    .addOption(typeOption())
    .addOption(choiceOfFormat(shownFormats, 'table'))
    .addHelpText('after', endText('intel:tag, and intel:read', 'no log names one of them'))
    .action((text, values, { off: isOff, server, insecureHttp, type, format }) => {
      const tag = tagName(text);
      if (tag === '' || tag.includes(',')) throw new UsageError('A tag has a name, without commas');
      take({ name: 'intel tag', tag, values, isOff, server, insecureHttp, type, format });
    });
}

const typeOption = () => new Option('--type <TYPE>', 'of this type alone').choices(entityTypes);
