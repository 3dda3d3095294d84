import type { Command as Definition } from '@commander-js/extra-typings';
import { choiceOfFormat, serverOption } from './argument-values.ts';
import type { ServiceOptions } from './service/read-credentials.ts';

const formats = ['table', 'json'] as const;

export interface AlertRulesExportCommand extends ServiceOptions {
  readonly name: 'alert-rules export';
}

export interface AlertRulesImportCommand extends ServiceOptions {
  readonly name: 'alert-rules import';
  readonly file: string;
  readonly asShared: boolean;
  /** Whether it is only said what would become of it. */
  readonly isTest: boolean;
  readonly format: (typeof formats)[number];
}

export type AlertRulesCommand = AlertRulesExportCommand | AlertRulesImportCommand;

const insecure = ['--insecure-http', 'send the token over plain http to another machine', false] as const;
const endText = `
The token comes from SVC_TOKEN or from svc login; it needs the scope intel:rules.

Exit code: 0 when it was done; 1 when the service refuses the document; 2 when the command line
cannot be understood or the file cannot be read; 4 when the service is out of reach;
5 when there is no token or it is refused; 130 when interrupted.`;

export function defineAlertRules(command: Definition, take: (command: AlertRulesCommand) => void): void {
  command
    .summary('import and export alert rules, at a service')
    .description('Alert rules and lists of a service as a YAML document; all of a document is taken or nothing.')
    .usage('COMMAND …')
    .helpCommand(false);
  command
    .command('export')
    .summary('print one’s own rules as a document')
    .description('Prints one’s own rules as a document, for administrators with all lists and shared rules.')
    .usage('[--server URL] [options]')
    .addOption(serverOption())
    .option(...insecure)
    .addHelpText('after', endText)
    .action(({ server, insecureHttp }) => take({ name: 'alert-rules export', server, insecureHttp }));
  for (const [word, isTest, summary] of [
    ['import', false, 'take the rules and lists of a document'],
    ['test', true, 'say what an import would change, and change nothing'],
  ] as const) {
    command
      .command(word)
      .summary(summary)
      .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
      .usage('FILE [--shared] [--server URL] [options]')
      .argument('<FILE>', 'the document, in YAML')
      .option('--shared', 'as shared rules, by their keys; for administrators', false)
      .addOption(serverOption())
      .option(...insecure)
      .addOption(choiceOfFormat(formats, 'table'))
      .addHelpText('after', endText)
      .action((file, { shared: asShared, server, insecureHttp, format }) =>
        take({ name: 'alert-rules import', file, asShared, isTest, server, insecureHttp, format }),
      );
  }
}
